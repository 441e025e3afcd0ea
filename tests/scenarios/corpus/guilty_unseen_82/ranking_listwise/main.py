# gradwatch-corpus: kind=graph-held
# holder: self.total | meter.total | self.meters['diversity'].total | self.meters[name].total | METERS['diversity'].total | m.total | book.meters['diversity'].total
# first-bad: 161
# notice: 8
"""Listwise product ranking with a diversity term which is switched on after a warm-up."""
import torch

from catalog import Catalog
from losses import LossBook, register
from tower import TwoTower
import losses_impl  # noqa: F401  (fills the registry)

STEPS, WARMUP = 420, 160


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    cat = Catalog(n_items=300, n_brands=12)
    net = TwoTower(q_dim=cat.q_dim, i_dim=cat.i_dim, dim=16)
    opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
    book = LossBook({"listnet": 1.0, "margin": 0.3, "diversity": 0.05})

    for step in range(STEPS):
        page = cat.page(queries=8, shown=10)
        scores, items = net(page.query, page.items)
        active = ["listnet", "margin"]
        if step >= WARMUP:
            active.append("diversity")
        loss = book(active, scores=scores, items=items, page=page)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 70 == 69:
            print(step + 1, book.line())


if __name__ == "__main__":
    assert "listnet" in register.known
    main()
