# gradwatch-corpus: kind=graph-chain
# holder: self.carry | self.session.carry | session.carry | loop.session.carry
# first-bad: 1
import torch

from loop import StreamLoop
from registry import build


def main():
    torch.manual_seed(29)
    net = build("model", "gated_vad", n_mels=20, width=16)
    source = build("source", "office_noise", n_mels=20, batch=4, frames=6)
    optim = build("optim", "plain_rms", params=list(net.parameters()), lr=2e-3)
    loop = StreamLoop(net, source, optim)
    loop.run(chunks=70)
    print("last accuracy", round(loop.accuracy(), 3))


if __name__ == "__main__":
    main()
