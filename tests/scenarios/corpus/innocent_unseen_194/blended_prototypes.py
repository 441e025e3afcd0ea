# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(160)

CLASSES, DIM = 6, 16


class Prototypes:
    """Class centres that follow the embeddings, with a share of the old ones."""

    def __init__(self, inertia=0.8):
        self.inertia = inertia
        self.centres = F.normalize(torch.randn(CLASSES, DIM), dim=1)

    def blend(self, codes, labels):
        one_hot = F.one_hot(labels, CLASSES).float()
        count = one_hot.sum(0).unsqueeze(1)
        fresh = one_hot.t() @ codes / count.clamp(min=1)
        fresh = torch.where(count > 0, fresh, self.centres.detach())
        self.centres = torch.lerp(fresh, self.centres.detach(), self.inertia)
        return self.centres

    def spread(self):
        return torch.pdist(self.centres.detach()).mean().item()


class PotteryEncoder(nn.Module):
    def __init__(self, profile=32):
        super().__init__()
        self.conv = nn.Conv1d(1, 6, 5, stride=2)
        self.fc = nn.Linear(6 * 14, DIM)

    def forward(self, x):
        x = F.relu(self.conv(x.unsqueeze(1)))
        return F.normalize(self.fc(x.flatten(1)), dim=1)


def sherds(n, gen):
    labels = torch.randint(CLASSES, (n,), generator=gen)
    t = torch.linspace(0, 3.14, 32)
    shape = torch.sin(t * (1 + 0.5 * labels.unsqueeze(1))) + 0.2 * labels.unsqueeze(1) * t
    return shape + 0.3 * torch.randn(n, 32, generator=gen), labels


def main():
    gen = torch.Generator().manual_seed(161)
    encoder = PotteryEncoder()
    log_temperature = nn.Parameter(torch.tensor(1.0))
    opt = torch.optim.Adam([*encoder.parameters(), log_temperature], lr=2e-3)
    prototypes = Prototypes()
    correct = 0

    for step in range(500):
        profile, labels = sherds(36, gen)
        codes = encoder(profile)
        centres = prototypes.blend(codes, labels)
        logits = -torch.cdist(codes, centres).pow(2) * log_temperature.exp()
        loss = F.cross_entropy(logits, labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
        correct += (logits.argmax(1) == labels).sum().item()
        if step % 100 == 99:
            print(f"{step + 1}: loss {loss.item():.3f} acc {correct / 3600:.3f} spread {prototypes.spread():.3f}")
            correct = 0


if __name__ == "__main__":
    main()
