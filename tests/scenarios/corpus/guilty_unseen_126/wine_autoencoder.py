# gradwatch-corpus: kind=graph-held
# holder: stats["recon"] | stats
# first-bad: 1
# notice: 8
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(11)

N, D = 320, 11
chem = torch.randn(N, D)
quality = (chem[:, :3].sum(1, keepdim=True) + 0.1 * torch.randn(N, 1)).tanh()

enc = nn.Sequential(nn.Linear(D, 8), nn.ELU(), nn.Linear(8, 4))
dec = nn.Sequential(nn.Linear(4, 8), nn.ELU(), nn.Linear(8, D))
reg = nn.Linear(4, 1)

opt_ae = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=2e-3)
opt_reg = torch.optim.SGD(reg.parameters(), lr=1e-2)
mse = nn.MSELoss()


def ae_step(xb, stats):
    opt_ae.zero_grad()
    loss = mse(dec(enc(xb)), xb)
    loss.backward()
    opt_ae.step()
    stats["recon"] += loss * xb.size(0)  # <- culprit
    stats["n"] += xb.size(0)


def reg_step(xb, yb, stats):
    opt_reg.zero_grad()
    with torch.no_grad():
        code = enc(xb)
    loss = mse(reg(code), yb)
    loss.backward()
    opt_reg.step()
    stats["pred"] += loss.item() * xb.size(0)


stats = {"recon": 0.0, "pred": 0.0, "n": 0}
for epoch in range(25):
    perm = torch.randperm(N)
    for i in range(0, N, 32):
        idx = perm[i:i + 32]
        ae_step(chem[idx], stats)
        reg_step(chem[idx], quality[idx], stats)
    if epoch % 5 == 4:
        print(f"epoch {epoch} recon {stats['recon'] / stats['n']:.4f} pred {stats['pred'] / stats['n']:.4f}")
