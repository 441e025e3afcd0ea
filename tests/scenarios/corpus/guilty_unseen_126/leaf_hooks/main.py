# gradwatch-corpus: kind=graph-held
# holder: recorder.maps["block2"] | recorder.maps | self.maps
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
torch.manual_seed(5)

import torch.nn as nn
from leafnet import LeafNet
from recorder import Recorder

model = LeafNet(n_species=4)
recorder = Recorder(model, ["block2"])
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 100, 0.5)

images = torch.randn(96, 3, 12, 12)
labels = torch.randint(0, 4, (96,))
images += labels.view(-1, 1, 1, 1) * 0.4

for it in range(320):
    sel = torch.randint(0, 96, (8,))
    optimizer.zero_grad()
    loss = criterion(model(images[sel]), labels[sel])
    loss.backward()
    optimizer.step()
    scheduler.step()
    if it % 80 == 0:
        print(it, loss.item(), "mean activation", recorder.mean("block2"))
