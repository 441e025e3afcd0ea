# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden
# first-bad: 15
import random

import torch
import torch.nn as nn
import torch.optim as optim

random.seed(0)
torch.manual_seed(0)

VOCAB, TAGS = 120, 5
CHUNK = 25
EMB, HID, LAYERS = 16, 24, 2


def make_documents():
    """documents are sorted by length so that the short ones come first"""
    lengths = [12 + i for i in range(14)] + [30 + 4 * i for i in range(20)]
    docs = []
    for n in lengths:
        words = torch.randint(0, VOCAB, (n,))
        tags = (words + torch.roll(words, 1)) % TAGS
        docs.append((words, tags))
    return docs


class BiLSTMTagger(nn.Module):
    def __init__(self):
        super(BiLSTMTagger, self).__init__()
        self.word_embeddings = nn.Embedding(VOCAB, EMB)
        self.lstm = nn.LSTM(EMB, HID, num_layers=LAYERS, bidirectional=True)
        self.hidden2tag = nn.Linear(2 * HID, TAGS)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        return (torch.zeros(2 * LAYERS, 1, HID),
                torch.zeros(2 * LAYERS, 1, HID))

    def forward(self, sentence):
        embeds = self.word_embeddings(sentence).unsqueeze(1)
        lstm_out, self.hidden = self.lstm(embeds, self.hidden)  # <- culprit
        return self.hidden2tag(lstm_out.squeeze(1))


def split_into_chunks(words, tags):
    for a in range(0, len(words), CHUNK):
        yield words[a:a + CHUNK], tags[a:a + CHUNK]


docs = make_documents()
model = BiLSTMTagger()
loss_function = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for epoch in range(3):
    total_loss = 0.0
    correct = count = 0
    for doc_id, (words, tags) in enumerate(docs):
        # new document, forget the old one
        model.hidden = model.init_hidden()
        for w, t in split_into_chunks(words, tags):
            model.zero_grad()
            scores = model(w)
            loss = loss_function(scores, t)
            loss.backward()
            optimizer.step()

            total_loss += loss.item()
            correct += (scores.argmax(1) == t).sum().item()
            count += len(t)
        if doc_id % 5 == 0:
            print("epoch %d doc %d/%d loss %.3f acc %.3f"
                  % (epoch, doc_id, len(docs), total_loss, correct / count))
