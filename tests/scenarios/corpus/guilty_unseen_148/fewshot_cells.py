# gradwatch-corpus: kind=second-backward
# holder: protos
# first-bad: 1
# notice: 0
"""Prototypical network for few-shot typing of cells from expression profiles."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(23)


class ExpressionAtlas:
    def __init__(self, n_types=12, genes=40):
        self.centres = torch.randn(n_types, genes)
        self.dropout = 0.2

    def sample(self, types, per_type):
        x = self.centres[types].repeat_interleave(per_type, 0)
        x = x + 0.5 * torch.randn_like(x)
        x = x * (torch.rand_like(x) > self.dropout)
        y = torch.arange(len(types)).repeat_interleave(per_type)
        return x, y


class Encoder(nn.Module):
    def __init__(self, genes, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(genes, 48), nn.LayerNorm(48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, dim)
        )

    def forward(self, x):
        return self.net(x)


def prototypes(encoder, x, y, ways):
    z = encoder(x)
    return torch.stack([z[y == c].mean(0) for c in range(ways)])


def episodes(atlas, encoder, n, ways=4, shots=5, queries=3, rounds=10):
    """Each episode fixes its classes and support set and asks several rounds of queries."""
    for _ in range(n):
        types = torch.randperm(len(atlas.centres))[:ways]
        support, labels = atlas.sample(types, shots)
        protos = prototypes(encoder, support, labels, ways)  # <- culprit
        for _ in range(rounds):
            xq, yq = atlas.sample(types, queries)
            yield protos, xq, yq  # <- culprit


def proto_logits(zq, protos, scale):
    return -scale * torch.cdist(zq, protos).square()


def main():
    atlas = ExpressionAtlas()
    encoder = Encoder(40, 16)
    scale = nn.Parameter(torch.tensor(0.5))
    opt = torch.optim.Adam([*encoder.parameters(), scale], lr=1e-3)
    acc = []
    for k, (protos, xq, yq) in enumerate(episodes(atlas, encoder, n=8)):
        logits = proto_logits(encoder(xq), protos, scale)
        loss = F.cross_entropy(logits, yq)
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc.append((logits.argmax(1) == yq).float().mean().item())
        if k % 10 == 9:
            print(f"query round {k + 1}: loss {loss.item():.3f} acc {sum(acc[-10:]) / 10:.2f}")


if __name__ == "__main__":
    main()
