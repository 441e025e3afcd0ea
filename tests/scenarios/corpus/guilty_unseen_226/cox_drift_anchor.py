# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | anchor.anchor
# first-bad: 1
# Cox model refit month by month; weights must not drift quickly (regulator asks for stable scores)
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class CoxNet(nn.Module):
    def __init__(self, n_features, n_hidden=24):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, n_hidden),
            nn.SELU(),
            nn.Dropout(0.1),
            nn.Linear(n_hidden, 1, bias=False),
        )

    def forward(self, x):
        return self.body(x).squeeze(-1)


class DriftAnchor:
    """Slow copy of the coefficients; the penalty is the squared distance to it."""

    def __init__(self, model, rate=0.05):
        self.rate = rate
        self.model = model
        self.anchor = {n: p.detach().clone() for n, p in model.named_parameters()}

    def penalty(self):
        total = 0.0
        for name, p in self.model.named_parameters():
            total = total + (p - self.anchor[name]).pow(2).sum()
        return total

    def move(self):
        for name, p in self.model.named_parameters():
            self.anchor[name] = torch.lerp(self.anchor[name], p, self.rate)  # <- culprit


def neg_partial_log_likelihood(score, time, event):
    order = torch.argsort(time, descending=True)
    score = score[order]
    event = event[order]
    log_risk = torch.logcumsumexp(score, dim=0)
    return -((score - log_risk) * event).sum() / event.sum().clamp(min=1)


def concordance(score, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    good = (score[:, None] > score[None, :]) & earlier
    return (good.sum() / earlier.sum()).item()


def simulate(n=1600, d=12):
    x = torch.randn(n, d)
    beta = torch.zeros(d)
    beta[:4] = torch.tensor([0.8, -0.5, 0.4, 0.9])
    t = -torch.log(torch.rand(n)) / torch.exp(x @ beta)
    c = -torch.log(torch.rand(n)) * 2.0
    return x, torch.minimum(t, c), (t <= c).float()


def main():
    torch.manual_seed(4)
    x, time, event = simulate()
    loader = DataLoader(TensorDataset(x, time, event), batch_size=80, shuffle=True)
    model = CoxNet(x.shape[1])
    anchor = DriftAnchor(model)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(6):
        model.train()
        running = 0.0
        for xb, tb, eb in loader:
            nll = neg_partial_log_likelihood(model(xb), tb, eb)
            loss = nll + 0.02 * anchor.penalty()
            opt.zero_grad()
            loss.backward()
            opt.step()
            anchor.move()
            running += nll.item()
        model.eval()
        with torch.no_grad():
            c = concordance(model(x), time, event)
        print(f"epoch {epoch} nll {running / len(loader):.4f} c-index {c:.3f}")


if __name__ == "__main__":
    main()
