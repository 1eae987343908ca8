import paddle

paddle.seed(3)
W = paddle.randn([3, 3]) * 0.8
U = paddle.randn([2, 3])
W.stop_gradient = U.stop_gradient = False
x = paddle.randn([6, 2])

h = paddle.zeros([3])
for t in range(6):
    h = paddle.tanh(x[t] @ U + h @ W)
loss = (h * h).sum()
loss.backward()

print("how much W acts on the loss:")
print(W.grad)
