# gradwatch-corpus: kind=none
# about: a feature bank and a pseudo label cache grow through the first iterations, but the bank stops at its capacity, the cache is dropped at each epoch's end and all entries are plain; the EMA teacher is updated under no_grad
"""Semi supervised segmentation of synthetic micrographs: mean teacher + class prototypes."""
import torch
import torch.nn.functional as F

from bank import PrototypeBank
from data import labelled, unlabelled
from nets import SegNet, Shadow

CFG = dict(epochs=6, per_epoch=60, tau=0.98, bank_items=90, ramp=120, revisit=3)


class EpochCache(dict):
    def __missing__(self, key):
        fn, arg = self.pending
        self[key] = fn(arg)
        return self[key]

    def get_or(self, key, fn, arg):
        self.pending = (fn, arg)
        return self[key]


def run():
    torch.manual_seed(73)
    student = SegNet()
    shadow = Shadow(student, CFG["tau"])
    bank = PrototypeBank(CFG["bank_items"])
    soft_cache = EpochCache()
    opt = torch.optim.Adam(student.parameters(), lr=3e-3)
    it = 0
    for epoch in range(CFG["epochs"]):
        for b in range(CFG["per_epoch"]):
            img, mask = labelled(24)
            page = b // CFG["revisit"]
            wild = unlabelled(24, seed=1000 * epoch + page)
            feats, logits = student(img)
            _, wild_logits = student(wild + 0.1 * torch.randn_like(wild))
            soft = soft_cache.get_or(page, shadow.soft_labels, wild)
            ramp = min(1.0, it / CFG["ramp"])
            loss = F.binary_cross_entropy_with_logits(logits, mask)
            loss = loss + ramp * (wild_logits.sigmoid() - soft).pow(2).mean()
            if len(bank):
                loss = loss + 0.1 * bank.pull(feats, mask)
            opt.zero_grad()
            loss.backward()
            opt.step()
            bank.deposit(feats, mask)
            shadow.follow(student)
            it += 1
        with torch.inference_mode():
            img, mask = labelled(64)
            dice = shadow.dice(img, mask)
        print(f"epoch {epoch} loss {loss.item():.4f} dice(teacher) {dice:.3f} bank {len(bank)} cached {len(soft_cache)}")
        soft_cache.clear()


run()
