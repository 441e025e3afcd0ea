# gradwatch-corpus: kind=none
import math
from collections import deque

import torch

from .corpus import batchify, markov_text
from .model import LSTMModel, repackage


def train(model, data, opt, bptt=12, accumulate=2, epochs=4):
    window = deque(maxlen=40)
    recent_states = deque(maxlen=8)
    total, n = 0.0, 0
    step = 0
    for epoch in range(epochs):
        hidden = model.init_hidden(data.size(1))
        opt.zero_grad()
        for i in range(0, data.size(0) - 1 - bptt, bptt):
            x, y = data[i:i + bptt], data[i + 1:i + 1 + bptt]
            hidden = repackage(hidden)
            logits, hidden, raw = model(x, hidden)
            ce = torch.nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
            tar = (raw[1:] - raw[:-1]).pow(2).mean()
            loss = ce + 0.5 * tar
            (loss / accumulate).backward()
            total += ce.detach()
            n += 1
            window.append(ce.item())
            recent_states.append(repackage(hidden))
            step += 1
            if step % accumulate == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
                opt.step()
                opt.zero_grad()
        spread = torch.stack([h for h, _ in recent_states]).std().item()
        ppl = math.exp(sum(window) / len(window))
        print(f"epoch {epoch} steps {step} ppl {ppl:.3f} mean ce {float(total) / n:.4f} spread {spread:.3f}")


def main():
    torch.manual_seed(0)
    data = batchify(markov_text(16000), 12)
    model = LSTMModel(vocab=16, emb=16, hidden=32)
    train(model, data, torch.optim.Adam(model.parameters(), lr=3e-3))


if __name__ == "__main__":
    main()
