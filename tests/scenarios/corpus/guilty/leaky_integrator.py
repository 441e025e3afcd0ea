# gradwatch-corpus: kind=graph-chain
# holder: trace
# about: a leaky trace of embeddings kept across batches; retain_graph=True silences the error
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

VOCAB, DIM, DECAY = 50, 16, 0.9


class NextToken(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, DIM)
        self.out = nn.Linear(DIM, VOCAB)

    def forward(self, token, trace):
        trace = DECAY * trace + self.embed(token)  # <- culprit
        return self.out(trace), trace


tokens = torch.randint(0, VOCAB, (60 * 8,))
loader = DataLoader(TensorDataset(tokens, tokens.roll(-1)), batch_size=8)
model = NextToken()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

trace = torch.zeros(8, DIM)
for i, (token, target) in enumerate(loader):
    optimizer.zero_grad()
    logits, trace = model(token, trace)  # <- culprit
    loss = criterion(logits, target)
    loss.backward(retain_graph=True)
    optimizer.step()
    if i % 20 == 0:
        print(i, loss.item())
