# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Joint intent + slot model for a chat assistant, one encoder, two heads."""
import torch
import torch.nn as nn

VOCAB, EMB, HID = 200, 24, 32
INTENTS, SLOTS = 6, 9


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, EMB, padding_idx=0)
        self.lstm = nn.LSTM(EMB, HID, batch_first=True, bidirectional=True)

    def forward(self, tokens):
        out, (h, _) = self.lstm(self.emb(tokens))
        sentence = torch.cat([h[0], h[1]], dim=-1)
        return out, sentence


class IntentHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(2 * HID, HID), nn.ReLU(), nn.Linear(HID, INTENTS))

    def forward(self, sentence):
        return self.fc(sentence)


class SlotHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2 * HID, SLOTS)

    def forward(self, states):
        return self.fc(states)


def utterances(n, length=10):
    tokens = torch.randint(1, VOCAB, (n, length))
    lens = torch.randint(4, length + 1, (n,))
    mask = torch.arange(length).unsqueeze(0) < lens.unsqueeze(1)
    tokens = tokens * mask
    intents = tokens[:, 0] % INTENTS
    slots = torch.where(mask, tokens % SLOTS, torch.full_like(tokens, -100))
    return tokens, intents, slots


torch.manual_seed(2)
encoder, intent_head, slot_head = Encoder(), IntentHead(), SlotHead()
opt_encoder = torch.optim.Adam(encoder.parameters(), lr=1e-3)
opt_intent = torch.optim.Adam(intent_head.parameters(), lr=1e-3)
opt_slot = torch.optim.Adam(slot_head.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss(ignore_index=-100)

running_intent, running_slot = 0.0, 0.0
for step in range(500):
    tokens, intents, slots = utterances(32)
    for opt in (opt_encoder, opt_intent, opt_slot):
        opt.zero_grad()

    states, sentence = encoder(tokens)

    intent_loss = criterion(intent_head(sentence), intents)
    intent_loss.backward()  # <- culprit

    slot_logits = slot_head(states)
    slot_loss = criterion(slot_logits.reshape(-1, SLOTS), slots.reshape(-1))
    slot_loss.backward()  # <- culprit

    for opt in (opt_encoder, opt_intent, opt_slot):
        opt.step()

    running_intent += intent_loss.item()
    running_slot += slot_loss.item()
    if step % 50 == 49:
        print("step %d intent %.3f slot %.3f" % (step + 1, running_intent / 50, running_slot / 50))
        running_intent, running_slot = 0.0, 0.0
