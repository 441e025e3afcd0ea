# gradwatch-corpus: kind=none
"""Income bracket model updated once per pass: the pass's losses are added and walked together."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(13)

CHUNKS = 6


class Census:
    def __init__(self, n=180):
        self.age = torch.rand(n, 1)
        self.edu = torch.randint(0, 5, (n,))
        self.rich = (self.age.squeeze(1) + 0.3 * self.edu > 1.0).float()

    def __iter__(self):
        for idx in torch.randperm(len(self.rich)).chunk(CHUNKS):
            yield self.age[idx], self.edu[idx], self.rich[idx]


class Income(nn.Module):
    def __init__(self):
        super().__init__()
        self.edu = nn.Embedding(5, 3)
        self.mlp = nn.Sequential(nn.Linear(4, 12), nn.ELU(), nn.Linear(12, 1))

    def forward(self, age, edu):
        return self.mlp(torch.cat([age, self.edu(edu)], 1)).squeeze(1)


census, net = Census(), Income()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(420):
    epoch_loss, outputs = 0, []
    for age, edu, rich in census:
        logit = net(age, edu)
        epoch_loss += nn.functional.binary_cross_entropy_with_logits(logit, rich)
        outputs.append((logit, rich))
    opt.zero_grad()
    epoch_loss.backward()
    opt.step()
    if epoch % 70 == 0:
        acc = torch.cat([(o > 0) == r.bool() for o, r in outputs]).float().mean()
        print(epoch, f"{epoch_loss.item() / CHUNKS:.4f} acc {acc.item():.3f}")
