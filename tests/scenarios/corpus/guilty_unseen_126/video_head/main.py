# gradwatch-corpus: kind=graph-chain
# holder: clip.memory | self.memory
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
torch.manual_seed(30)

from torch import nn
from streams import frames
from memory import ClipMemory

backbone = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 8))
for p in backbone[0].parameters():
    p.requires_grad_(False)
head = nn.Linear(8, 3)
clip = ClipMemory(backbone, 8, keep=0.7)
opt = torch.optim.Adam(head.parameters(), lr=1e-2)
head_params = list(head.parameters())

right = seen = 0
for step, (frame, action) in enumerate(frames(500)):
    logits = head(clip(frame))
    loss = nn.functional.cross_entropy(logits, action)
    opt.zero_grad()
    loss.backward(inputs=head_params)
    opt.step()
    right += (logits.argmax(1) == action).sum().item()
    seen += len(action)
    if step % 100 == 99:
        print(step, "acc so far", right / seen)
