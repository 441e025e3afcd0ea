# gradwatch-corpus: kind=graph-chain
# holder: fast
# first-bad: 1
"""Online few-shot adaptation of a gaze predictor: fast weights follow one user after another."""
import torch
import torch.nn.functional as F

from network import initial_weights, predict
from users import UserStream


def anchor(weights):
    weights = {name: w.detach().requires_grad_(True) for name, w in weights.items()}
    return all(torch.isfinite(w).all() for w in weights.values())


def inner_step(fast, support, rate):
    x, y = support
    local = {name: w.detach().requires_grad_(True) for name, w in fast.items()}
    loss = F.mse_loss(predict(local, x), y)
    grads = torch.autograd.grad(loss, list(local.values()))
    return {name: w - rate * g for (name, w), g in zip(fast.items(), grads)}, loss.item()  # <- culprit


def main(steps=480, anchor_every=12, rate=0.02):
    torch.manual_seed(89)
    slow = initial_weights(inputs=8, hidden=20, outputs=2)
    optimizer = torch.optim.Adam(slow.values(), lr=1e-3)
    users = UserStream(inputs=8, outputs=2)
    fast = dict(slow)
    healthy = True
    for step in range(steps):
        support, query = users.next()
        fast, inner = inner_step(fast, support, rate)  # <- culprit
        x, y = query
        loss = F.mse_loss(predict(fast, x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % anchor_every == anchor_every - 1:
            healthy = anchor(fast)
        if step % 60 == 0:
            print(f"{step} inner {inner:.4f} outer {loss.item():.4f} healthy {healthy}")


if __name__ == "__main__":
    main()
