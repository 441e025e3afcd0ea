# gradwatch-corpus: kind=none
# Engineer's pipeline: reversed-sequence "translation" with gradient accumulation. All knobs in YAML-like dict.
import torch
torch.set_num_threads(1)
from torch import nn

CONF = dict(
    seed=40, vocab=14, seq=4, width=16,
    micro_batch=6, accumulate=3, updates=420,
    optim=dict(lr=3e-3, betas=(0.9, 0.98)),
    warmup=60, log_every=105,
)


class Reverser(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.src = nn.Embedding(vocab, width)
        self.tgt = nn.Embedding(vocab + 1, width)
        self.enc = nn.GRU(width, width, batch_first=True)
        self.dec = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(2 * width, vocab)

    def forward(self, src, tgt_in):
        mem, h = self.enc(self.src(src))
        dec, _ = self.dec(self.tgt(tgt_in), h)
        att = torch.softmax(dec @ mem.transpose(1, 2) / mem.shape[-1] ** 0.5, -1)
        return self.out(torch.cat([dec, att @ mem], -1))


class Accumulator:
    """Collects micro-batch losses; one backward for the whole window."""

    def __init__(self, window):
        self.window, self.pending = window, []

    def add(self, loss):
        self.pending.append(loss)
        return len(self.pending) == self.window

    def flush(self):
        total = sum(self.pending) / self.window
        self.pending = []
        return total


def micro(cfg):
    src = torch.randint(0, cfg["vocab"], (cfg["micro_batch"], cfg["seq"]))
    tgt = src.flip(1)
    bos = torch.full((len(src), 1), cfg["vocab"])
    return src, torch.cat([bos, tgt[:, :-1]], 1), tgt


def train(cfg):
    torch.manual_seed(cfg["seed"])
    net = Reverser(cfg["vocab"], cfg["width"])
    opt = torch.optim.Adam(net.parameters(), **cfg["optim"])
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda n: min(1.0, (n + 1) / cfg["warmup"]))
    acc, done, running = Accumulator(cfg["accumulate"]), 0, 0.0
    while done < cfg["updates"]:
        src, tin, tout = micro(cfg)
        loss = nn.functional.cross_entropy(net(src, tin).flatten(0, 1), tout.flatten())
        if acc.add(loss):
            total = acc.flush()
            opt.zero_grad()
            total.backward()
            opt.step()
            sched.step()
            done += 1
            running += total.item()
            if done % cfg["log_every"] == 0:
                print(f"update {done} loss {running / cfg['log_every']:.3f} lr {sched.get_last_lr()[0]:.1e}")
                running = 0.0


train(CONF)
