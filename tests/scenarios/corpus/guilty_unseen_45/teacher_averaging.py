# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | teacher.shadow
# first-bad: 1
"""Self-distillation (two noisy views) with an averaged teacher."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call
from torch.utils.data import DataLoader, Dataset


class TwoViews(Dataset):
    def __init__(self, n=512, dim=24, clusters=6):
        g = torch.Generator().manual_seed(3)
        self.centres = torch.randn(clusters, dim, generator=g) * 2
        self.which = torch.randint(clusters, (n,), generator=g)

    def __len__(self):
        return len(self.which)

    def __getitem__(self, i):
        c = self.centres[self.which[i]]
        return c + 0.5 * torch.randn_like(c), c + 0.5 * torch.randn_like(c)


class Encoder(nn.Module):
    def __init__(self, dim=24, width=64, out=16):
        super().__init__()
        self.fc1 = nn.Linear(dim, width)
        self.ln = nn.LayerNorm(width)
        self.fc2 = nn.Linear(width, out)

    def forward(self, x):
        return self.fc2(F.silu(self.ln(self.fc1(x))))


class WeightAverage:
    """Exponential moving average of a module's parameters."""

    def __init__(self, module, decay=0.98):
        self.module = module
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in module.named_parameters()}

    def update(self):
        for k, v in self.module.named_parameters():
            self.shadow[k] = torch.lerp(self.shadow[k], v, 1 - self.decay)  # <- culprit

    def __call__(self, x):
        return functional_call(self.module, self.shadow, (x,))


class SelfDistiller(nn.Module):
    def __init__(self, temp=0.2):
        super().__init__()
        self.encoder = Encoder()
        self.predictor = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 16))
        self.temp = temp

    def loss(self, teacher, a, b):
        p = F.normalize(self.predictor(self.encoder(a)), dim=-1)
        t = F.normalize(teacher(b), dim=-1)  # <- culprit
        return 2 - 2 * (p * t).sum(-1).mean()


def collapse_index(model, x):
    with torch.no_grad():
        z = F.normalize(model.encoder(x), dim=-1)
    return z.std(0).mean().item()


def train(epochs=6):
    torch.manual_seed(9)
    data = TwoViews()
    loader = DataLoader(data, batch_size=32, shuffle=True, drop_last=True)
    model = SelfDistiller()
    teacher = WeightAverage(model.encoder)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
    for ep in range(epochs):
        run = 0.0
        for a, b in loader:
            teacher.update()  # <- culprit
            loss = model.loss(teacher, a, b)
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item()
        print(f"epoch {ep}: loss {run / len(loader):.4f} spread {collapse_index(model, data.centres):.3f}")


if __name__ == "__main__":
    train()
