# gradwatch-corpus: kind=inplace-modified
# holder: p | probs | loss | total | chart_probs
# first-bad: 24
# notice: 0
# knitting charts v7 - next row from the 3 rows below, + lace charts are left/right symmetric
import random
import torch, torch.nn as nn, torch.nn.functional as F

torch.set_num_threads(1)
random.seed(3); torch.manual_seed(3)

# knit purl yo k2tog ssk cable
STITCH = ["k", "p", "o", "/", "\\", "x"]
S = len(STITCH)
W = 16           # stitches per row
CTX = 3          # rows of context
BS = 20
N_ITERS = 90
MIRROR_FROM = 24  # lace phase
COUNT_W = 0.1

def motif():
    kind = random.choice(["rib", "lace", "seed", "cable"])
    rows = []
    for r in range(CTX + 1):
        if kind == "rib":
            half = [0 if i % 4 < 2 else 1 for i in range(W // 2)]
        elif kind == "seed":
            half = [(i + r) % 2 for i in range(W // 2)]
        elif kind == "cable":
            half = [5 if (i // 2 + r) % 4 == 0 else 0 for i in range(W // 2)]
        else:
            half = [0] * (W // 2)
            half[r % 8] = 2
            half[(r + 1) % 8] = 3
        rows.append(half + half[::-1])
    return rows

def batch():
    c = torch.tensor([motif() for _ in range(BS)])
    return F.one_hot(c[:, :CTX], S).float(), c[:, CTX]

class RowNet(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.inp = nn.Conv1d(CTX * S, d, 5, padding=2)
        self.mid = nn.Conv1d(d, d, 3, padding=1)
        self.out = nn.Conv1d(d, S, 1)
    def forward(self, ctx):
        x = ctx.permute(0, 1, 3, 2).flatten(1, 2)
        h = F.gelu(self.inp(x))
        h = h + F.gelu(self.mid(h))
        return self.out(h)

net = RowNet()
opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
sch = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=N_ITERS)

# +1 for a yarn over, -1 for a decrease: the row has to keep its width
DELTA = torch.tensor([0., 0., 1., -1., -1., 0.])

def mirror(p):
    """left half decides, right half is its reflection"""
    p[..., W // 2:] = p[..., :W // 2].flip(-1)  # <- culprit
    return p

def row_probs(ctx, lace):
    logits = net(ctx)
    probs = logits.softmax(1)
    if lace:
        probs = mirror(probs)  # <- culprit
    return probs

def objective(probs, row):
    nll = F.nll_loss((probs + 1e-6).log(), row)
    width = torch.einsum("bsw,s->b", probs, DELTA)
    return nll + COUNT_W * width.square().mean()

def draw(ctx):
    with torch.no_grad():
        pick = row_probs(ctx[:1], lace=True).argmax(1)[0]
    return "".join(STITCH[i] for i in pick.tolist())

hist = []
for it in range(N_ITERS):
    ctx, row = batch()
    chart_probs = row_probs(ctx, lace=it >= MIRROR_FROM)
    loss = objective(chart_probs, row)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sch.step()
    hist.append(loss.item())
    if it % 15 == 0:
        print(it, round(sum(hist[-15:]) / len(hist[-15:]), 4), draw(ctx))

print("done", round(hist[-1], 4))
