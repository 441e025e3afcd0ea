# gradwatch-corpus: kind=graph-chain
# holder: state
# first-bad: 1
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR

from model import StreamForecaster
from stream import SensorStream

STEPS = 90
WARMUP = 10


def lr_at(step):
    if step < WARMUP:
        return (step + 1) / WARMUP
    return max(0.1, 1 - (step - WARMUP) / (STEPS - WARMUP))


def train():
    torch.manual_seed(11)
    stream = SensorStream(batch=8, channels=6, chunk=8, seed=3)
    net = StreamForecaster()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.01)
    sched = LambdaLR(opt, lr_at)

    rows = []
    state = net.initial_state(8)
    for step, (x, y) in zip(range(STEPS), stream):
        pred, state = net(x, state)  # <- culprit
        loss = F.smooth_l1_loss(pred, y)

        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)  # <- culprit
        gnorm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()

        rows.append((step, loss.item(), gnorm.item(), sched.get_last_lr()[0]))
        if step % 30 == 0:
            print("step %d loss %.4f |g| %.3f" % rows[-1][:3])
    return net, rows


if __name__ == "__main__":
    _, rows = train()
    print("final", round(rows[-1][1], 4))
