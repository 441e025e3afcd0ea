# gradwatch-corpus: kind=none
"""Track inter-click intervals of sperm whales with a recurrent net trained by sliding TBPTT(1, k)."""
import torch

from clicks import ClickStream
from sliding import SlidingUnroll
from tracker import ClickTracker

torch.set_num_threads(1)
torch.manual_seed(52)

STEPS, K, WHALES = 420, 5, 10

stream = ClickStream(WHALES, seed=53)
net = ClickTracker(stream.n_obs, hidden=16)
unroll = SlidingUnroll(net, k=K)
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
losses = []

unroll.begin(net.blank(WHALES))
for step in range(STEPS):
    obs, interval = next(stream)
    predicted = unroll(obs)
    loss = torch.nn.functional.huber_loss(predicted, interval)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.detach())
    if step % 70 == 69:
        print(f"click {step + 1:3d}  loss {torch.stack(losses[-70:]).mean():.4f}  window {len(unroll)}")
