# gradwatch-corpus: kind=graph-held
# holder: BEST | globals()["BEST"]
# first-bad: 1
# notice: 8
# receipts OCR, fold 0 only. public LB 0.871
import math, random, time
import torch, torch.nn as nn, torch.nn.functional as F

torch.set_num_threads(1)
SEED = 2024
random.seed(SEED); torch.manual_seed(SEED)

CHARS = "-0123456789.EUR "
BLANK = 0
H, GLYPH_W = 8, 5
BS = 10
EPOCHS = 4
STEPS = 25
LR = 4e-3
t0 = time.time()

# ---------------------------------------------------------------- fake font
g = torch.Generator().manual_seed(1)
FONT = (torch.rand(len(CHARS), H, GLYPH_W, generator=g) > 0.5).float()

def render(text):
    img = torch.cat([FONT[CHARS.index(c)] for c in text], dim=1)
    return img + 0.25 * torch.randn(img.shape)

def price():
    s = f"{random.randint(1, 99)}.{random.randint(0, 99):02d}"
    return s + random.choice(["", " EUR", "E"])

def get_batch():
    texts = [price() for _ in range(BS)]
    imgs = [render(t) for t in texts]
    wmax = max(i.shape[1] for i in imgs)
    x = torch.stack([F.pad(i, (0, wmax - i.shape[1])) for i in imgs]).unsqueeze(1)
    y = torch.tensor([CHARS.index(c) for t in texts for c in t])
    ylen = torch.tensor([len(t) for t in texts])
    return x, y, ylen, texts

# ---------------------------------------------------------------- model
class CRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 12, (H, 3), padding=(0, 1))
        self.bn = nn.BatchNorm1d(12)
        self.rnn = nn.GRU(12, 16, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(32, len(CHARS))
    def forward(self, x):
        x = F.relu(self.c1(x))
        x = self.bn(self.c2(x).squeeze(2))
        x, _ = self.rnn(F.relu(x).transpose(1, 2))
        return self.fc(x).log_softmax(-1).transpose(0, 1)

net = CRNN()
opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=1e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=LR, total_steps=EPOCHS * STEPS)
ctc = nn.CTCLoss(blank=BLANK, zero_infinity=True)

BEST = torch.tensor(math.inf)
SMOOTH = None
LOG = []

def decode(lp):
    out = []
    for col in lp.argmax(-1).t().tolist():
        s, last = "", BLANK
        for k in col:
            if k != last and k != BLANK:
                s += CHARS[k]
            last = k
        out.append(s)
    return out

def track(it, loss):
    global BEST, SMOOTH
    v = loss.item()
    SMOOTH = v if SMOOTH is None else 0.95 * SMOOTH + 0.05 * v
    BEST = torch.minimum(BEST, loss)  # <- culprit
    LOG.append((it, v, sched.get_last_lr()[0]))

def validate():
    net.eval()
    hit = tot = 0
    with torch.no_grad():
        for _ in range(3):
            x, y, ylen, texts = get_batch()
            hit += sum(a == b for a, b in zip(decode(net(x)), texts))
            tot += len(texts)
    net.train()
    return hit / tot

# ---------------------------------------------------------------- train
it = 0
for ep in range(EPOCHS):
    for _ in range(STEPS):
        x, y, ylen, _t = get_batch()
        lp = net(x)
        xlen = torch.full((BS,), lp.shape[0])
        loss = ctc(lp, y, xlen, ylen)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 3.0)
        opt.step()
        sched.step()
        track(it, loss)
        it += 1
    print(f"ep {ep} smooth {SMOOTH:.3f} best {float(BEST):.3f} exact {validate():.2f} [{time.time() - t0:.1f}s]")

print("lowest logged", min(v for _, v, _ in LOG))
