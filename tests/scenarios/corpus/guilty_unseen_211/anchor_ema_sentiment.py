# gradwatch-corpus: kind=graph-chain
# holder: self.slow | anchor.slow | self.anchor.slow
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F


class BagClassifier(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.norm = nn.LayerNorm(dim)
        self.fc1 = nn.Linear(dim, dim)
        self.fc2 = nn.Linear(dim, classes)

    def forward(self, tok):
        return self.fc2(F.gelu(self.fc1(self.norm(self.emb(tok)))))


class SlowAnchor:
    """Pull the weights towards their own moving average."""

    def __init__(self, module, decay=0.98, strength=1e-2):
        self.module, self.decay, self.strength = module, decay, strength
        self.slow = {n: p.detach().clone() for n, p in module.named_parameters() if p.dim() > 1}

    def penalty(self):
        total = 0.0
        for name, p in self.module.named_parameters():
            if name in self.slow:
                total = total + (p - self.slow[name]).pow(2).mean()
        return self.strength * total

    def update(self):
        for name, p in self.module.named_parameters():
            if name in self.slow:
                self.slow[name] = self.slow[name].lerp(p, 1 - self.decay)  # <- culprit


def reviews(vocab, n, length, gen):
    tok = torch.randint(0, vocab, (n, length), generator=gen)
    score = (tok < vocab // 3).float().sum(1) - (tok > 2 * vocab // 3).float().sum(1)
    return tok, torch.bucketize(score, torch.tensor([-2.0, 2.0]))


class Callback:
    def after_step(self, state):
        pass


class AnchorCallback(Callback):
    def __init__(self, anchor):
        self.anchor = anchor

    def after_step(self, state):
        self.anchor.update()


class PrintCallback(Callback):
    def __init__(self, every):
        self.every, self.window = every, []

    def after_step(self, state):
        self.window.append((state["ce"], state["acc"]))
        if len(self.window) == self.every:
            ce, acc = (sum(c) / self.every for c in zip(*self.window))
            print(f"step {state['step']:4d}  ce {ce:.3f}  acc {acc:.3f}")
            self.window.clear()


def fit(steps=140, vocab=300):
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(32)
    net = BagClassifier(vocab, 32, 3)
    anchor = SlowAnchor(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)
    callbacks = [AnchorCallback(anchor), PrintCallback(35)]
    for step in range(steps):
        tok, y = reviews(vocab, 48, 24, gen)
        out = net(tok)
        ce = F.cross_entropy(out, y)
        loss = ce + anchor.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        state = {"step": step, "ce": ce.item(), "acc": (out.argmax(1) == y).float().mean().item()}
        for cb in callbacks:
            cb.after_step(state)


if __name__ == "__main__":
    fit()
