# gradwatch-corpus: kind=graph-held
# holder: ste.RECENT | RECENT | RECENT["stem"] | kws_quant.ste.RECENT
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
torch.manual_seed(1)

from .data import utterances
from .net import Spotter


def main():
    net = Spotter(mels=10, words=4)
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    for n, (spec, word) in enumerate(utterances(350), 1):
        opt.zero_grad(set_to_none=True)
        loss = torch.nn.functional.cross_entropy(net(spec), word)
        loss.backward()
        opt.step()
        if n % 70 == 0:
            print(n, f"{loss.item():.3f}", net.clip_report())


main()
