# gradwatch-corpus: kind=second-backward
# holder: self._bank | catalogue._bank | bank
# first-bad: 51
# notice: 0
"""Query-to-category matching for a shop; the category tower is unfrozen after a warm-up."""
import torch
import torch.nn.functional as F

from catalogue import Catalogue
from towers import QueryTower

WARMUP, STEPS, REFRESH = 50, 200, 25


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1212)
    catalogue = Catalogue(n_categories=30, vocab=90, dim=16, refresh_every=REFRESH)
    query = QueryTower(vocab=90, dim=16)
    opt = torch.optim.Adam(
        list(query.parameters()) + list(catalogue.tower.parameters()), lr=5e-3
    )
    catalogue.freeze(True)
    for step in range(STEPS):
        if step == WARMUP:
            catalogue.freeze(False)
        cat = torch.randint(0, 30, (32,))
        tokens = catalogue.sample_queries(cat, length=4)
        bank = catalogue.vectors(step)
        logits = query(tokens) @ bank.t() / 0.2
        loss = F.cross_entropy(logits, cat)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            acc = (logits.argmax(1) == cat).float().mean().item()
            print(f"step {step:3d} loss {loss.item():.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
