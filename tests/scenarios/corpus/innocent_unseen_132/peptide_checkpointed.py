# gradwatch-corpus: kind=none
# Retention time of peptides; deep residual stack with recomputation to save memory on the lab laptop.
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(33)
AA = 20


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.mix = nn.Linear(d, d)
        self.drop = nn.Dropout(0.05)

    def forward(self, z):
        return z + self.drop(torch.relu(self.mix(self.norm(z))))


class Retention(nn.Module):
    def __init__(self, d=12, depth=5):
        super().__init__()
        self.aa = nn.Embedding(AA, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.minutes = nn.Linear(d, 1)

    def forward(self, seq):
        z = self.aa(seq)
        for block in self.blocks:
            if self.training:
                z = checkpoint(block, z, use_reentrant=False)
            else:
                z = block(z)
        return self.minutes(z.mean(1)).squeeze(1)


hydrophobic = torch.randn(AA)


def digest(n):
    seq = torch.randint(0, AA, (n, 8))
    return seq, hydrophobic[seq].mean(1) * 3


model = Retention()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
val_seq, val_rt = digest(100)
best_state, best = None, float("inf")
for step in range(800):
    model.train()
    seq, rt = digest(16)
    loss = nn.functional.l1_loss(model(seq), rt)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        model.eval()
        with torch.no_grad():
            mae = nn.functional.l1_loss(model(val_seq), val_rt).item()
        if mae < best:
            best, best_state = mae, {k: v.clone() for k, v in model.state_dict().items()}
        print(step, f"{mae:.3f}", "*" if mae == best else "")
model.load_state_dict(best_state)
