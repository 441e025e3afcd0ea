# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
"""Sentence classifier fine-tuning with a freezing schedule, hparams in one place."""
import torch
from torch import nn

torch.set_num_threads(1)

HP = {
    "seed": 101, "vocab": 50, "len": 9, "batch": 10, "steps": 240, "lr": 2e-3,
    # at step -> parameter-name prefixes that stay trainable
    "trainable": {0: ("embed", "encoder", "head"), 30: ("encoder", "head"), 60: ("classifier",)},  # <- culprit
}


class SentenceNet(nn.Module):
    def __init__(self, vocab, d=20, classes=2):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, d, mode="mean")
        self.encoder = nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(d, classes)

    def forward(self, tok):
        return self.head(self.encoder(self.embed(tok)))


class FreezeSchedule:
    def __init__(self, net, table):
        self.net, self.table = net, table

    def apply(self, step):
        keep = self.table.get(step)
        if keep is None:
            return
        for name, p in self.net.named_parameters():
            p.requires_grad_(name.startswith(keep))
            p.grad = None


def sentences(hp):
    y = torch.randint(0, 2, (hp["batch"],))
    tok = torch.randint(0, hp["vocab"], (hp["batch"], hp["len"]))
    marker = torch.randint(0, 4, (hp["batch"],)) + 4 * y
    tok[:, 0] = marker
    return tok, y


def main(hp):
    torch.manual_seed(hp["seed"])
    net = SentenceNet(hp["vocab"])
    sched = FreezeSchedule(net, hp["trainable"])
    opt = torch.optim.AdamW(net.parameters(), lr=hp["lr"])
    hits = 0
    for step in range(hp["steps"]):
        sched.apply(step)
        tok, y = sentences(hp)
        out = net(tok)
        loss = nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += (out.argmax(1) == y).sum().item()
        if step % 20 == 19:
            print(f"step {step + 1}: loss {loss.item():.3f} running acc {hits / (20 * hp['batch']):.2f}")
            hits = 0


if __name__ == "__main__":
    main(HP)
