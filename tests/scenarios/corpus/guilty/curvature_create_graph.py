# gradwatch-corpus: kind=graph-held
# holder: p.grad | model.weight.grad | model[0].weight.grad | net[0].weight.grad | param.grad
# notice: 40
# about: create_graph=True gives .grad a graph, and the hand-written zeroing keeps adding to it
import torch
import torch.nn as nn

torch.manual_seed(0)


def zero_grads(model):
    for p in model.parameters():
        if p.grad is not None:
            p.grad.data.zero_()  # <- culprit


def curvature(model):
    """Sum of squared gradients, a cheap stand-in for the Fisher information."""
    return sum((p.grad.data**2).sum().item() for p in model.parameters())


net = nn.Sequential(nn.Linear(8, 24), nn.Tanh(), nn.Linear(24, 1))
lr = 0.02
for step in range(60):
    x = torch.randn(32, 8)
    loss = (net(x) - x.sin().sum(1, keepdim=True)).pow(2).mean()
    zero_grads(net)
    loss.backward(create_graph=True)  # <- culprit
    with torch.no_grad():
        for p in net.parameters():
            p.sub_(lr * p.grad)
    if step % 20 == 0:
        print(f"step {step} loss {loss.item():.4f} curvature {curvature(net):.3f}")
