# gradwatch-corpus: kind=none
"""Few-shot dose-response curves: meta-learned starting weights, inner steps per compound."""
from functools import partial

import torch

from adapt import adapt
from compounds import curve, panel
from weights import scoped, starting_weights


def predict(w, dose):
    hid = torch.tanh(dose @ w["w1"] + w["b1"])
    return hid @ w["w2"] + w["b2"]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(131)
    gen = torch.Generator().manual_seed(132)
    base = starting_weights(hidden=14)
    opt = torch.optim.Adam([*base.values()], lr=4e-3)
    history = []
    for it in range(320):
        losses = []
        for compound in panel(gen, size=3):
            support, query = curve(compound, gen, 8), curve(compound, gen, 12)
            fast = adapt(scoped(base), partial(predict, dose=support[0]), support[1], steps=3, lr=0.1)
            losses.append((predict(fast, query[0]) - query[1]).pow(2).mean())
        meta = sum(losses) / len(losses)
        opt.zero_grad()
        meta.backward()
        opt.step()
        history.append(meta.item())
        if it % 80 == 79:
            print(f"{it + 1:4d} meta loss {sum(history[-80:]) / 80:.4f}")


if __name__ == "__main__":
    main()
