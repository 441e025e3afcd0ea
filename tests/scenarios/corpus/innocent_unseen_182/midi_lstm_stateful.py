# gradwatch-corpus: kind=none
"""Stateful LSTM over long melodies; state is carried across windows of each voice."""
import torch
import torch.nn as nn
import torch.nn.functional as F

PITCHES = 24


def melody(n, seed):
    g = torch.Generator().manual_seed(seed)
    scale = torch.tensor([0, 2, 4, 5, 7, 9, 11])
    pos, out = 7, []
    for _ in range(n):
        pos += int(torch.randint(-2, 3, (), generator=g))
        pos = max(0, min(13, pos))
        out.append(int(scale[pos % 7]) + 12 * (pos // 7))
    return torch.tensor(out)


def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


class MelodyLSTM(nn.Module):
    def __init__(self, emb=16, hidden=32, layers=2):
        super().__init__()
        self.emb = nn.Embedding(PITCHES, emb)
        self.rnn = nn.LSTM(emb, hidden, layers)
        self.out = nn.Linear(hidden, PITCHES)
        self.shape = (layers, hidden)

    def init_hidden(self, bsz):
        w = self.out.weight
        return (w.new_zeros(self.shape[0], bsz, self.shape[1]),
                w.new_zeros(self.shape[0], bsz, self.shape[1]))

    def forward(self, tok, hidden):
        y, hidden = self.rnn(self.emb(tok), hidden)
        return self.out(y), hidden


def main(bptt=8, epochs=4):
    torch.manual_seed(2)
    voices = torch.stack([melody(900, s) for s in range(6)], dim=1)
    model = MelodyLSTM()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    history = {"loss": [], "ppl": [], "grad": []}
    running = None
    for epoch in range(epochs):
        hidden = model.init_hidden(voices.shape[1])
        for i in range(0, len(voices) - bptt - 1, bptt):
            x, y = voices[i:i + bptt], voices[i + 1:i + 1 + bptt]
            hidden = repackage(hidden)
            logits, hidden = model(x, hidden)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            grad = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            value = loss.detach()
            running = value if running is None else 0.95 * running + 0.05 * value
            history["loss"].append(value.item())
            history["ppl"].append(running.exp().item())
            history["grad"].append(float(grad))
        print(f"epoch {epoch} loss {history['loss'][-1]:.3f} ppl {history['ppl'][-1]:.2f}")


if __name__ == "__main__":
    main()
