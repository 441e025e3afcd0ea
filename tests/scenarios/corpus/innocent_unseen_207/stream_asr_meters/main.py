# gradwatch-corpus: kind=none
import torch

from meters import MeterBoard
from streaming import StreamingEncoder, phone_stream
import torch.nn.functional as F


def run(steps=480):
    torch.manual_seed(61)
    net = StreamingEncoder(bands=8, hidden=24, phones=5)
    optim = torch.optim.Adam(net.parameters(), lr=3e-3)
    board = MeterBoard(window=20)
    for step, (chunk, phones) in enumerate(phone_stream(steps, streams=6, chunk=8, bands=8)):
        logits = net(chunk)
        ce = F.cross_entropy(logits.flatten(0, 1), phones.flatten())
        smooth = (logits[:, 1:] - logits[:, :-1]).pow(2).mean()
        loss = ce + 0.01 * smooth
        optim.zero_grad()
        loss.backward()
        optim.step()
        board.push(ce=ce, smooth=smooth, loss=loss)
        if step % 64 == 63:
            net.reset_streams(torch.rand(6) < 0.5)
        if step % 80 == 0:
            print(step, board)


if __name__ == "__main__":
    run()
