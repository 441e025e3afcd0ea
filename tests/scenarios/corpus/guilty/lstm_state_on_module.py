# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden | self.hidden[0] | model.hidden[0]
# first-bad: 1
# about: the LSTM's state tuple lives on the module and is never detached
import torch
import torch.nn as nn


class LSTMTagger(nn.Module):
    def __init__(self, embedding_dim, hidden_dim, vocab_size, tagset_size):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.word_embeddings = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.hidden2tag = nn.Linear(hidden_dim, tagset_size)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        return (torch.zeros(1, 1, self.hidden_dim), torch.zeros(1, 1, self.hidden_dim))

    def forward(self, sentence):
        embeds = self.word_embeddings(sentence)
        lstm_out, self.hidden = self.lstm(  # <- culprit
            embeds.view(len(sentence), 1, -1), self.hidden
        )
        tag_space = self.hidden2tag(lstm_out.view(len(sentence), -1))
        return torch.log_softmax(tag_space, dim=1)


torch.manual_seed(1)
model = LSTMTagger(6, 6, 20, 3)
loss_function = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(5):
    for _ in range(12):
        sentence = torch.randint(0, 20, (7,))
        tags = sentence % 3
        model.zero_grad()
        loss = loss_function(model(sentence), tags)
        loss.backward()
        optimizer.step()
