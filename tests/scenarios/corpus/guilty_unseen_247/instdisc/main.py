# gradwatch-corpus: kind=graph-held
# holder: self.bank | self.bank.entries | bank | bank.entries | self.entries | learner.bank | learner.bank.entries
# first-bad: 1
"""Instance discrimination on synthetic 1-d signals; bank of embeddings, NCE against random entries."""
import torch

from bank import EmbeddingBank
from learner import InstanceLearner
from signals import SignalSet


STEPS = 110
BATCH = 24


def knn_agreement(learner, data, n=60):
    x, family = data.labelled(n)
    with torch.no_grad():
        z = learner.encode(x)
    sim = z @ z.t()
    sim.fill_diagonal_(-2)
    nearest = sim.argmax(1)
    return (family[nearest] == family).float().mean().item()


def main():
    torch.manual_seed(41)
    data = SignalSet(size=BATCH * STEPS, length=48)
    bank = EmbeddingBank(dim=24)
    learner = InstanceLearner(bank, length=48, dim=24, tau=0.2)
    order = torch.randperm(len(data))
    for step, ids in enumerate(order.split(BATCH)):
        loss = learner.step(ids, data.views(ids))
        if step % 22 == 0:
            print(f"{step:4d} nce {loss:.3f} bank {len(bank)} knn {knn_agreement(learner, data):.3f}")


if __name__ == "__main__":
    main()
