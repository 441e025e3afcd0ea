# gradwatch-corpus: kind=none
"""GradNorm (Chen et al. 2018) on three sensor regression tasks of very different scale."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from gradnorm import GradNorm
from tracking import BestKeeper, Curve


class EnvNet(nn.Module):
    def __init__(self, n_in=10, width=32, tasks=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, width), nn.Tanh(), nn.Linear(width, width))
        self.heads = nn.ModuleList(
            nn.Sequential(nn.Tanh(), nn.Linear(width, 8), nn.Tanh(), nn.Linear(8, 1)) for _ in range(tasks)
        )

    @property
    def shared(self):
        return self.body[-1].weight

    def forward(self, x):
        z = self.body(x)
        return [h(z).squeeze(1) for h in self.heads]


def sensors(n, seed):
    g = torch.Generator().manual_seed(seed)
    gw = torch.Generator().manual_seed(50)
    x = torch.randn(n, 10, generator=g)
    w = torch.randn(10, 3, generator=gw) / 3
    y = torch.tanh(x @ w) * torch.tensor([1.0, 5.0, 0.2]) + 0.02 * torch.randn(n, 3, generator=g)
    return TensorDataset(x, y)


def validate(model, ds):
    model.eval()
    with torch.no_grad():
        x, y = ds.tensors
        val = torch.stack([nn.functional.mse_loss(p, t) for p, t in zip(model(x), y.t())])
    model.train()
    return val


def main(epochs=14):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    train, valid = sensors(512, 1), sensors(128, 2)
    loader = DataLoader(train, batch_size=32, shuffle=True)
    model = EnvNet()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    balancer = GradNorm(3, alpha=1.0)
    w_opt = torch.optim.Adam([balancer.weights], lr=1e-2)
    curve, best = Curve(), BestKeeper(patience=4)

    for epoch in range(epochs):
        for x, y in loader:
            losses = torch.stack([nn.functional.mse_loss(p, t) for p, t in zip(model(x), y.t())])
            total = balancer.weighted(losses)
            opt.zero_grad()
            total.backward(retain_graph=True)
            w_opt.zero_grad()
            balancer.set_weight_grad(losses, model.shared)
            opt.step()
            w_opt.step()
            balancer.renormalize()
            curve.add(losses, balancer.weights)
        val = validate(model, valid)
        if best.see(val.sum(), model):
            print("stopped early at", epoch)
            break
        print(f"epoch {epoch:2d} valid", [f"{v:.3f}" for v in val], "w", [f"{w:.2f}" for w in curve.last_weights()])
    model.load_state_dict(best.state)
    print("best", best.value.item(), "mean train", curve.mean())


if __name__ == "__main__":
    main()
