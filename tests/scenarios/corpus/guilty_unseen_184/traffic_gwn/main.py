# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch
import torch.nn.functional as F

from layers import AdaptiveAdjacency, DiffusionForecaster


def synthetic_traffic(nodes=20, length=600, seed=6):
    g = torch.Generator().manual_seed(seed)
    mix = torch.softmax(3 * torch.randn(nodes, nodes, generator=g), dim=1)
    t = torch.arange(length).float()
    phase = 6.28 * torch.rand(nodes, generator=g)
    base = torch.sin(2 * torch.pi * t[:, None] / 48 + phase)
    x = torch.zeros(length, nodes)
    for k in range(1, length):
        x[k] = 0.7 * mix @ x[k - 1] + 0.3 * base[k] + 0.05 * torch.randn(nodes, generator=g)
    return x


def windows(series, hist, horizon, batch, gen):
    starts = torch.randint(0, len(series) - hist - horizon, (batch,), generator=gen)
    x = torch.stack([series[s:s + hist] for s in starts.tolist()])
    y = torch.stack([series[s + hist:s + hist + horizon] for s in starts.tolist()])
    return x, y


def main(steps=450, hist=12, horizon=3):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    series = synthetic_traffic()
    graph = AdaptiveAdjacency(series.shape[1], rank=6)
    model = DiffusionForecaster(hist, horizon, hidden=24)
    opt = torch.optim.Adam([*graph.parameters(), *model.parameters()], lr=3e-3)

    adj = graph()  # <- culprit
    powers = [adj, adj @ adj]  # <- culprit
    for step in range(steps):
        x, y = windows(series, hist, horizon, 16, gen)
        loss = F.l1_loss(model(x, powers), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(f"step {step} mae {loss.item():.4f}")


if __name__ == "__main__":
    main()
