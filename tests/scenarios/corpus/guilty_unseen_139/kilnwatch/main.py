# gradwatch-corpus: kind=graph-held
# holder: tail.records | tail.records[i].args | self.records | record.args | log.handlers[0].records
# first-bad: 1
# notice: 8
import logging

import torch

torch.set_num_threads(1)
torch.manual_seed(44)

from firing import KilnModel, firings
from tail import TailHandler

tail = TailHandler(show=3)
log = logging.getLogger("kiln")
log.setLevel(logging.DEBUG)
log.propagate = False
log.addHandler(tail)


def fit(model, source):
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for n, (curve, shrink) in enumerate(source):
        est = model(curve)
        err = (est - shrink).pow(2).mean()
        opt.zero_grad()
        err.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        log.debug("firing %d grad norm %s", n, norm.item())
        log.info("firing %d err %s", n, err)  # <- culprit
        if n % 100 == 99:
            print("\n".join(tail.lines()))


if __name__ == "__main__":
    fit(KilnModel(), firings(420))
