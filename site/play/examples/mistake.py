import paddle
from paddle import nn

images = paddle.rand([8, 28 * 28])
first = nn.Linear(28 * 28, 64)
second = nn.Linear(32, 10)  # the first layer gives 64 numbers for each image

hidden = nn.functional.relu(first(images))
scores = second(hidden)
print(scores.shape)
