# gradwatch-corpus: kind=none
import torch

from net import ContactNet
from proteins import batch
from runner import Ledger, Runner


def main() -> None:
    torch.manual_seed(44)
    net = ContactNet(letters=20, d=16)
    runner = Runner(net, torch.optim.Adam(net.parameters(), 2e-3), Ledger(), max_recycles=3)
    for step in range(420):
        runner.step(*batch(step, n=3, length=14))
        if step % 70 == 0:
            print(step, runner.ledger.line())


if __name__ == "__main__":
    main()
