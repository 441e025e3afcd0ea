# gradwatch-corpus: kind=none
import torch

from memory import NodeMemory
from mail import MailStream
from predictor import LinkPredictor

torch.set_num_threads(1)
torch.manual_seed(19)

PEOPLE = 30
stream, memory, pred = MailStream(PEOPLE), NodeMemory(PEOPLE, 10), LinkPredictor(10)
opt = torch.optim.Adam([*memory.parameters(), *pred.parameters()], lr=3e-3)
for batch in range(500):
    src, dst, fake, topic = stream.next(12)
    memory.absorb_waiting()
    loss = pred.loss(memory.state, src, dst, fake)
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory.cut()
    memory.wait(src, dst, topic)
    if batch % 125 == 124:
        memory.clear()
        print(batch, f"{loss.item():.4f}")
