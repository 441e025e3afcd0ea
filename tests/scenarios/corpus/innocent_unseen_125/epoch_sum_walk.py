# gradwatch-corpus: kind=none
"""Full-batch training in pieces: the losses of one pass are summed up, then walked once."""
import torch
import torch.nn as nn

torch.set_num_threads(1)


class RatingModel(nn.Module):
    def __init__(self, n_players=24, d=3):
        super().__init__()
        self.skill = nn.Embedding(n_players, d)
        self.home = nn.Parameter(torch.zeros(1))
        self.mix = nn.Bilinear(d, d, 1)

    def forward(self, a, b):
        sa, sb = self.skill(a), self.skill(b)
        return (self.mix(sa, sb) - self.mix(sb, sa)).squeeze(-1) + self.home


def season(n, strength):
    a, b = torch.randint(0, 24, (2, n))
    p = torch.sigmoid(strength[a] - strength[b] + 0.2)
    return a, b, torch.bernoulli(p)


def one_pass(model, data, piece):
    running = 0.0
    per_piece = []
    for idx in torch.arange(len(data[0])).split(piece):
        a, b, w = (d[idx] for d in data)
        nll = nn.functional.binary_cross_entropy_with_logits(model(a, b), w, reduction="sum")
        running += nll
        per_piece.append(nll)
    return running, per_piece


torch.manual_seed(70)
strength = torch.randn(24)
data = season(160, strength)
model = RatingModel()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
best = float("inf")
for epoch in range(420):
    total, pieces = one_pass(model, data, 20)
    opt.zero_grad()
    total.backward()
    opt.step()
    hardest = max(range(len(pieces)), key=lambda k: pieces[k].item())
    best = min(best, total.item() / 160)
    if epoch % 105 == 0:
        print(epoch, f"{best:.4f} hardest {hardest}")
