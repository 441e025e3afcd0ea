# gradwatch-corpus: kind=inplace-modified
# holder: self.codes | codebook.codes | model.book.codes
# first-bad: 0
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(36)


class CodeBook(nn.Module):
    """Vector quantiser, codes follow an exponential average; a soft assignment term pulls the encoder."""

    def __init__(self, size, dim, decay=0.9):
        super().__init__()
        self.decay = decay
        self.register_buffer("codes", torch.randn(size, dim))

    def forward(self, z):
        dist = (z[:, None] - self.codes).square().sum(-1)
        pick = dist.argmin(1)
        soft = (-z @ self.codes.t()).softmax(-1)
        if self.training:
            self.follow(z.detach(), pick)
        hard = self.codes[pick]
        return z + (hard - z).detach(), (z - hard.detach()).square().mean() + 1e-2 * (soft * soft.log()).sum(-1).mean()

    @torch.no_grad()
    def follow(self, z, pick):
        onehot = nn.functional.one_hot(pick, len(self.codes)).float()
        count = onehot.sum(0)
        mean = onehot.t() @ z / count.clamp(min=1)[:, None]
        moved = torch.where(count[:, None] > 0, mean, self.codes)
        self.codes.mul_(self.decay).add_(moved, alpha=1 - self.decay)  # <- culprit


class Glyphs(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(25, 16), nn.ReLU(), nn.Linear(16, 4))
        self.book = CodeBook(12, 4)
        self.dec = nn.Linear(4, 25)

    def forward(self, x):
        q, commit = self.book(self.enc(x))
        return (self.dec(q).sigmoid() - x).square().mean() + 0.25 * commit


strokes = (torch.rand(12, 25) > 0.6).float()
model = Glyphs()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for i in range(300):
    x = strokes[torch.randint(0, 12, (16,))]
    loss = model(x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 100 == 0:
        print(i, loss.item())
