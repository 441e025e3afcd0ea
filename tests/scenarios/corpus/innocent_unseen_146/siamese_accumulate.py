# gradwatch-corpus: kind=none
# signatures, contrastive loss. batch of one pair (my gpu is small...) so 8 pairs are summed before a step
import torch
import torch.nn as nn
import torch.nn.functional as F
import random
torch.set_num_threads(1)
random.seed(0)
torch.manual_seed(0)

writers = [torch.randn(1, 10, 2).cumsum(1) for _ in range(6)]

def sig(w):
    return writers[w] + 0.2*torch.randn(1, 10, 2)

def pair():
    a = random.randrange(6)
    if random.random() < .5:
        return sig(a), sig(a), 0.
    b = random.choice([k for k in range(6) if k != a])
    return sig(a), sig(b), 1.

class SiameseNetwork(nn.Module):
    def __init__(self):
        super(SiameseNetwork, self).__init__()
        self.cnn1 = nn.Conv1d(2, 6, 3)
        self.fc1 = nn.Linear(6*8, 8)
    def forward_once(self, x):
        h = F.relu(self.cnn1(x.transpose(1, 2)))
        return self.fc1(h.flatten(1))
    def forward(self, input1, input2):
        return self.forward_once(input1), self.forward_once(input2)

class ContrastiveLoss(torch.nn.Module):
    def __init__(self, margin=2.0):
        super(ContrastiveLoss, self).__init__()
        self.margin = margin
    def forward(self, output1, output2, label):
        euclidean_distance = F.pairwise_distance(output1, output2)
        return torch.mean((1-label) * torch.pow(euclidean_distance, 2) +
                          label * torch.pow(torch.clamp(self.margin - euclidean_distance, min=0.0), 2))

net = SiameseNetwork()
criterion = ContrastiveLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

total_loss = 0
losses = []
running = torch.zeros(())
for i in range(1, 8*420 + 1):
    img0, img1, label = pair()
    o1, o2 = net(img0, img1)
    total_loss += criterion(o1, o2, label)
    if i % 8 == 0:
        total_loss = total_loss / 8
        optimizer.zero_grad()
        total_loss.backward()
        optimizer.step()
        running += total_loss.detach()
        losses.append(total_loss.item())
        total_loss = 0
    if i % (8*70) == 0:
        print(i//8, running.item()/70, min(losses))
        running.zero_()
