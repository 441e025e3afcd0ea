# gradwatch-corpus: kind=graph-chain
# holder: self.state | self.reservoir.state | net.reservoir.state | session.net.reservoir.state
# first-bad: 1
import torch
import torch.nn.functional as F

from signals import chirp_frames
from reservoir import EchoTagger


class Session:
    def __init__(self, seed=17):
        torch.manual_seed(seed)
        self.net = EchoTagger(bands=6, units=32, tags=3)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.backward = lambda loss: loss.backward(retain_graph=True)

    def step(self, frame, tag):
        logits = self.net(frame)
        loss = F.cross_entropy(logits, tag)
        self.optim.zero_grad()
        self.backward(loss)
        self.optim.step()
        return loss.item(), (logits.argmax(-1) == tag).float().mean().item()


def main():
    session = Session()
    for i, (frame, tag) in enumerate(chirp_frames(steps=405, bands=6, streams=8)):
        loss, acc = session.step(frame, tag)
        if i % 80 == 0:
            print(i, f"{loss:.4f} {acc:.2f}")


if __name__ == "__main__":
    main()
