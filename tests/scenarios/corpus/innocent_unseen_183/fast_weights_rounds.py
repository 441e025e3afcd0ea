# gradwatch-corpus: kind=none
"""Online adaptation of regression weights, restarted from the slow weights in every round."""
import torch
import torch.nn.functional as F

ROUND_LENGTH = 30
INNER_LR = 0.05


def init_slow(gen, sizes=(3, 16, 1)):
    slow = {}
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        slow[f"w{i}"] = torch.randn(b, a, generator=gen) / a ** 0.5
        slow[f"b{i}"] = torch.zeros(b)
    return slow


def forward(weights, x):
    x = torch.tanh(F.linear(x, weights["w0"], weights["b0"]))
    return F.linear(x, weights["w1"], weights["b1"])


class Stream:
    """Every round has another rotation of the same nonlinear map."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.next_round()

    def next_round(self):
        q, _ = torch.linalg.qr(torch.randn(3, 3, generator=self.gen))
        self.rotation = q

    def batch(self, n=16):
        x = torch.randn(n, 3, generator=self.gen)
        z = x @ self.rotation
        return x, (torch.sin(z[:, :1]) + 0.5 * z[:, 1:2])


def adapt(fast, loss):
    grads = torch.autograd.grad(loss, list(fast.values()))
    return {k: w - INNER_LR * g for (k, w), g in zip(fast.items(), grads)}


def main(rounds=14):
    gen = torch.Generator().manual_seed(10)
    slow = {k: v.requires_grad_() for k, v in init_slow(gen).items()}
    outer = torch.optim.Adam(slow.values(), lr=0.02)
    stream = Stream(10)
    for r in range(rounds):
        stream.next_round()
        fast = dict(slow)
        curve = []
        for t in range(ROUND_LENGTH):
            x, y = stream.batch()
            loss = F.mse_loss(forward(fast, x), y)
            fast = adapt(fast, loss)
            curve.append(loss.item())
        x, y = stream.batch(64)
        query = F.mse_loss(forward(fast, x), y)
        outer.zero_grad()
        query.backward()
        outer.step()
        print(f"round {r:2d} first {curve[0]:.4f} last {curve[-1]:.4f} query {query.item():.4f}")


if __name__ == "__main__":
    main()
