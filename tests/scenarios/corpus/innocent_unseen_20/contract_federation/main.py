# gradwatch-corpus: kind=none
"""Law firms train a shared clause-risk scorer without pooling their contracts. One process plays all firms;
some drop out of a round, and the coordinator replays recent embeddings to keep the scale steady."""
import torch

from coordinator import Coordinator
from firm import Firm, FirmUnavailable

ROUNDS = 230


def main():
    torch.manual_seed(1215)
    picker = torch.Generator().manual_seed(3)
    coordinator = Coordinator(width=24, lr=0.15)
    firms = [Firm(k) for k in range(6)]
    dropouts = {}
    for rnd in range(ROUNDS):
        offers = []
        for k in torch.randperm(len(firms), generator=picker)[:3].tolist():
            try:
                offers.append(firms[k].contribute(coordinator.model))
            except FirmUnavailable as why:
                dropouts[str(why)] = dropouts.get(str(why), 0) + 1
        for offer in offers:
            coordinator.file(offer)
        loss = coordinator.step(offers)
        if rnd % 46 == 0:
            print(f"round {rnd:3d}  loss {loss:.4f}  filed {coordinator.filed()}  memory {len(coordinator.replay)}")
    print("dropouts:", dropouts)


if __name__ == "__main__":
    main()
