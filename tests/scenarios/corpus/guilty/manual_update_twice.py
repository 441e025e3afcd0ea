# gradwatch-corpus: kind=inplace-modified
# notice: 1
# about: weights are updated by hand between two backwards of one retained graph
import torch

torch.manual_seed(0)
N, D_in, H, D_out = 32, 20, 16, 3

x = torch.randn(N, D_in)
y = torch.randn(N, D_out)
w1 = torch.randn(D_in, H, requires_grad=True)
w2 = torch.randn(H, D_out, requires_grad=True)
learning_rate = 1e-6


def update(*weights):
    with torch.no_grad():
        for w in weights:
            w -= learning_rate * w.grad  # <- culprit
            w.grad.zero_()


for t in range(60):
    y_pred = x.mm(w1).clamp(min=0).mm(w2)
    data_loss = (y_pred - y).pow(2).sum()
    data_loss.backward(retain_graph=True)
    update(w1, w2)  # <- culprit
    smooth_loss = (y_pred[1:] - y_pred[:-1]).abs().sum()
    smooth_loss.backward()  # <- culprit
    update(w1, w2)
