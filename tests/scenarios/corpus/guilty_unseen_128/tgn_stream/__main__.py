# gradwatch-corpus: kind=graph-chain
# holder: self.memory | model.memory | self.memory.state | model.memory.state
# first-bad: 1
# notice: 5
import torch
torch.set_num_threads(1)

from .events import event_batches
from .model import TemporalGraphNet


def main():
    torch.manual_seed(70)
    model = TemporalGraphNet(nodes=15, dim=8)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for n, (src, dst, neg, feat) in enumerate(event_batches(200)):
        pos_score, neg_score = model.score(src, dst, neg)
        loss = torch.nn.functional.softplus(neg_score - pos_score).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        model.memory.write(src, dst, feat)
        if n % 50 == 0:
            print(n, loss.item())


if __name__ == "__main__":
    main()
