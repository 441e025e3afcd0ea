# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
# kernel: denoising autoencoder for tabular data, swap noise + masked residual after warm-up
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2020)
N_ROWS, N_COLS, BS, WARMUP = 1500, 16, 50, 40

factors = torch.randn(N_ROWS, 4)
mix = torch.randn(4, N_COLS)
df = torch.sigmoid(factors @ mix + 0.1 * torch.randn(N_ROWS, N_COLS))


def swap_noise(batch, p=0.15):
    mask = torch.rand_like(batch) < p
    donor = df[torch.randint(0, N_ROWS, (len(batch),))]
    return torch.where(mask, donor, batch), mask


class DAE(nn.Module):
    def __init__(self, n, h=48):
        super().__init__()
        self.enc1 = nn.Linear(n, h)
        self.enc2 = nn.Linear(h, h)
        self.dec = nn.Linear(h, n)
        self.warm = True

    def forward(self, x, mask):
        h1 = torch.tanh(self.enc1(x))
        h2 = torch.tanh(self.enc2(h1))
        out = torch.sigmoid(self.dec(h1 + h2))
        if not self.warm:
            keep = ~mask
            out[keep] = 0.5 * out[keep] + 0.5 * x[keep]  # <- culprit
        return out, h2


def score(m):
    m.eval()
    with torch.no_grad():
        noisy, mask = swap_noise(df)
        rec, _ = m(noisy, mask)
        mse = F.mse_loss(rec[mask], df[mask]).item()
    m.train()
    return mse


dae = DAE(N_COLS)
optimizer = torch.optim.AdamW(dae.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=450)

step = 0
for epoch in range(15):
    perm = torch.randperm(N_ROWS)
    losses = []
    for i in range(0, N_ROWS, BS):
        if step == WARMUP:
            dae.warm = False
        batch = df[perm[i:i + BS]]
        noisy, mask = swap_noise(batch)
        rec, code = dae(noisy, mask)
        loss = F.mse_loss(rec, batch) + 1e-4 * code.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
        step += 1
    print(f"epoch {epoch:02d} loss {sum(losses) / len(losses):.5f} masked mse {score(dae):.5f}")
