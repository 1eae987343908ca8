import paddle
from paddle import nn

paddle.seed(7)
x = paddle.to_tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = paddle.to_tensor([[0.0], [1.0], [1.0], [0.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())
optimizer = paddle.optimizer.Adam(learning_rate=0.1, parameters=net.parameters())

for epoch in range(40):
    out = net(x)
    loss = nn.functional.binary_cross_entropy(out, y)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    if epoch % 10 == 9:
        print(f"after {epoch + 1} epochs: loss {loss.item():.4f}")

print(out.numpy().round(2))
