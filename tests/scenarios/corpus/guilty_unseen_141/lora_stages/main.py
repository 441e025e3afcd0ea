# gradwatch-corpus: kind=crashed
# first-bad: 90
# notice: 0
import torch

from schedule import Stages
from vision import TinyMixer, stripes

torch.set_num_threads(1)
torch.manual_seed(12)

net = TinyMixer()
stages = Stages(net, {0: ("adapt_", "head"), 90: ("lora_",), 240: ("lora_", "head")})
loss_fn = torch.nn.CrossEntropyLoss()

for step in range(400):
    stages.advance(step)
    x, y = stripes(16)
    loss = loss_fn(net(x), y)
    stages.optimizer.zero_grad()
    loss.backward()
    stages.optimizer.step()
    if step % 30 == 0:
        print(step, round(loss.item(), 3), stages.n_active(), flush=True)
