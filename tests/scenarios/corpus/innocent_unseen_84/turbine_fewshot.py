# gradwatch-corpus: kind=none
"""Few-shot normal-behaviour models for single turbines: a shared start and learned step sizes,
inner steps taken for all turbines at once with vmap."""
import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.set_num_threads(1)
torch.manual_seed(606)


class PowerCurve(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


class FewShot(nn.Module):
    def __init__(self, model, inner_steps):
        super().__init__()
        self.model = model
        self.inner_steps = inner_steps
        self.log_rate = nn.ParameterList(nn.Parameter(torch.tensor(-2.5)) for _ in model.parameters())
        self.fleet = {}      # turbine id -> adapted weights, last seen
        self.history = []    # adapted error per round

    def error(self, weights, x, y):
        return (functional_call(self.model, weights, (x,)) - y).pow(2).mean()

    def adapt(self, x, y):
        weights = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            g = grad(self.error)(weights, x, y)
            weights = {n: w - r.exp() * g[n] for (n, w), r in zip(weights.items(), self.log_rate)}
        return weights

    def forward(self, support, query):
        def one(sx, sy, qx, qy):
            w = self.adapt(sx, sy)
            return self.error(w, qx, qy), w
        return vmap(one)(*support, *query)

    def remember(self, ids, weights):
        for row, i in enumerate(ids.tolist()):
            self.fleet[i] = {n: w[row].detach().clone() for n, w in weights.items()}


class Fleet:
    def __init__(self, n=12, seed=9):
        self.g = torch.Generator().manual_seed(seed)
        self.cut = 0.8 + 0.4 * torch.rand(n, generator=self.g)
        self.size = 0.7 + 0.6 * torch.rand(n, generator=self.g)

    def _draw(self, ids, k):
        x = torch.rand(len(ids), k, 2, generator=self.g) * 2 - 1
        wind = x[..., 0] + 0.2 * x[..., 1]
        y = self.size[ids, None] * torch.sigmoid(6 * (wind * self.cut[ids, None] - 0.2))
        return x, y + 0.02 * torch.randn(y.shape, generator=self.g)

    def rounds(self, n, turbines=4):
        for _ in range(n):
            ids = torch.randperm(len(self.cut), generator=self.g)[:turbines]
            yield ids, self._draw(ids, 8), self._draw(ids, 12)


def main(n_rounds=360):
    learner = FewShot(PowerCurve(), inner_steps=2)
    opt = torch.optim.Adam(learner.parameters(), lr=3e-3)
    for r, (ids, support, query) in enumerate(Fleet().rounds(n_rounds)):
        errors, weights = learner(support, query)
        loss = errors.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        learner.remember(ids, weights)
        learner.history.append(errors.detach())
        if r % 60 == 0:
            print(f"round {r:3d} query error {loss.item():.4f} fleet known {len(learner.fleet)}")
    tail = torch.stack(learner.history[-50:]).mean(0)
    print("tail error by slot", [round(v, 4) for v in tail.tolist()])


if __name__ == "__main__":
    main()
