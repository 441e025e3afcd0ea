# gradwatch-corpus: kind=none
# copy-with-delay: a GRUCell unrolled by hand; sequences get longer until MAXLEN
import torch, torch.nn as nn
torch.set_num_threads(1)
torch.manual_seed(12)

SYMBOLS, DELAY, MAXLEN = 6, 2, 28

class Copier(nn.Module):
    def __init__(s, hid=24):
        super().__init__()
        s.emb = nn.Embedding(SYMBOLS, 12)
        s.cell = nn.GRUCell(12, hid)
        s.out = nn.Linear(hid, SYMBOLS)
        s.hid = hid
        s.states = []

    def forward(s, seq):
        h = seq.new_zeros(seq.shape[0], s.hid, dtype=torch.float)
        s.states = []
        logits = []
        for t in range(seq.shape[1]):
            h = s.cell(s.emb(seq[:, t]), h)
            s.states.append(h)
            logits.append(s.out(h))
        return torch.stack(logits, 1)

def make(n, length):
    seq = torch.randint(SYMBOLS, (n, length))
    tgt = torch.full_like(seq, -100)
    tgt[:, DELAY:] = seq[:, :-DELAY]
    return seq, tgt

net = Copier()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
length = 4
for step in range(380):
    if step and step % 12 == 0:
        length = min(length + 1, MAXLEN)
    seq, tgt = make(8, length)
    logits = net(seq)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=-100)
    # activity penalty on the whole trajectory (TAR)
    tar = sum((b - a).pow(2).mean() for a, b in zip(net.states, net.states[1:])) / len(net.states)
    (loss + 0.01 * tar).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step(); opt.zero_grad()
    if step % 60 == 59:
        keep = tgt != -100
        acc = (logits.argmax(-1)[keep] == tgt[keep]).float().mean()
        print(step + 1, "len", length, f"loss {loss:.3f} acc {acc:.3f}")
