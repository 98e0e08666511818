#include "language/text.hpp"

#include "training/parameters.hpp"

#include <cctype>
#include <random>

namespace language {
namespace {

struct Person {
    const char *name, *he, *him, *his;
};

constexpr Person people[] = {
    {"Anna", "she", "her", "her"},        {"Tom", "he", "him", "his"},
    {"Clara", "she", "her", "her"},       {"Jonas", "he", "him", "his"},
    {"Miriam", "she", "her", "her"},      {"Peter", "he", "him", "his"},
    {"Leila", "she", "her", "her"},       {"Hugo", "he", "him", "his"},
    {"Nora", "she", "her", "her"},        {"Viktor", "he", "him", "his"},
    {"Eva", "she", "her", "her"},         {"Samuel", "he", "him", "his"},
    {"Rosa", "she", "her", "her"},        {"Ahmed", "he", "him", "his"},
    {"Johanna", "she", "her", "her"},     {"Felix", "he", "him", "his"},
    {"Grandmother", "she", "her", "her"}, {"Uncle Karl", "he", "him", "his"},
    {"the baker", "he", "him", "his"},    {"the teacher", "she", "her", "her"}};

constexpr const char* things[] = {
    "key",    "lamp",   "letter", "ring",    "book",    "coat",   "basket", "clock",  "knife",
    "map",    "flute",  "drum",   "blanket", "bottle",  "hammer", "mirror", "needle", "umbrella",
    "pencil", "purse",  "rope",   "scarf",   "shoe",    "spoon",  "ticket", "violin", "whistle",
    "apron",  "bucket", "candle", "compass", "feather", "glove",  "kite",   "ladder", "orange"};

constexpr const char* adjectives[] = {
    "old",   "red",    "small", "heavy",  "golden", "broken", "blue",   "strange", "empty", "warm",
    "green", "wooden", "long",  "silver", "torn",   "yellow", "pretty", "dusty",   "round", "new",
    "ugly",  "light",  "white", "black",  "rusty",  "soft",   "wet",    "narrow"};

constexpr const char* places[] = {
    "under the table",        "behind the door",    "in the garden",
    "near the river",         "on the roof",        "in the kitchen",
    "beside the well",        "at the market",      "between two stones",
    "in the cellar",          "on the stairs",      "behind the church",
    "under the old bridge",   "in the tall grass",  "on the window sill",
    "at the station",         "in an empty barrel", "among the apple trees",
    "under a heap of wood",   "in the school yard", "next to the stove",
    "inside the clock tower", "on the shore",       "in the neighbour's barn"};

constexpr const char* times[] = {
    "One morning",       "In the evening",       "Late at night",    "On Sunday",
    "After the rain",    "Before breakfast",     "Last winter",      "When the snow had melted",
    "One hot afternoon", "At the end of summer", "Three days later", "On the way home"};

constexpr const char* searches[] = {
    "looked for", "asked for",      "wanted to find",         "could not forget",
    "missed",     "had dreamed of", "searched everywhere for"};
constexpr const char* asks[] = {"asked", "wondered", "cried", "whispered", "wanted to know"};
constexpr const char* says[] = {"said", "answered", "replied", "shouted", "laughed", "explained"};
constexpr const char* feelings[] = {"happy", "tired",   "surprised", "angry",  "proud",
                                    "sad",   "curious", "quiet",     "afraid", "glad"};
constexpr const char* weathers[] = {
    "It was raining", "The wind was cold",   "The sun was shining",
    "It was dark",    "Snow was falling",    "The bells were ringing",
    "Nobody spoke",   "The dog was barking", "The street was empty"};

class Teller {
public:
    explicit Teller(std::uint64_t seed) : engine_(seed) {}

    std::string story() {
        const Person& seeker = any(people);
        const Person* other = &any(people);
        while (other == &seeker) {
            other = &any(people);
        }
        const std::string adjective = any(adjectives), thing = any(things), place = any(places);
        begin(seeker, adjective + " " + thing);
        if (chance(0.5)) {
            text_ += " " + std::string(any(weathers)) + ", and " + he(seeker) + " was " +
                     any(feelings) + ".";
        }
        question(seeker, *other, thing);
        if (chance(0.4)) {
            guess(seeker, *other, thing);
        }
        answer(*other, thing, place);
        if (chance(0.6)) {
            search(seeker, thing, place);
        }
        end(seeker, *other, adjective, thing);
        return text_ + "\n\n";
    }

private:
    bool chance(double p) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < p; }

    template <class T, std::size_t n>
    const T& any(const T (&list)[n]) {
        return list[engine_() % n];
    }

    static std::string capital(std::string words) {
        words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
        return words;
    }
    static std::string with_article(const std::string& words) {
        const bool vowel = std::string("aeiou").find(words[0]) != std::string::npos;
        return (vowel ? "an " : "a ") + words;
    }
    static std::string he(const Person& person) { return person.he; }
    std::string name_or_he(const Person& person) { return chance(0.5) ? person.name : person.he; }

    void begin(const Person& seeker, const std::string& what) {
        const std::string his = seeker.his;
        switch (engine_() % 4) {
        case 0:
            text_ = capital(seeker.name) + " had lost " + his + " " + what + ".";
            return;
        case 1:
            text_ = std::string(any(times)) + " " + seeker.name + " " + any(searches) + " " +
                    with_article(what) + ".";
            return;
        case 2:
            text_ = "There was once " + with_article(what) + ", and " + seeker.name + " " +
                    any(searches) + " it.";
            return;
        default:
            text_ = std::string(any(times)) + " " + seeker.name + " saw that " + his + " " + what +
                    " was gone.";
        }
    }

    void question(const Person& seeker, const Person& other, const std::string& thing) {
        const std::string to_other = chance(0.5)
                                         ? " " + name_or_he(seeker) + " " + any(asks) + "."
                                         : " " + name_or_he(seeker) + " asked " + other.name + ".";
        switch (engine_() % 3) {
        case 0:
            text_ += " \"Where is the " + thing + "?\"" + to_other;
            return;
        case 1:
            text_ += " \"Have you seen my " + thing + "?\"" + to_other;
            return;
        default:
            text_ += " \"Who has taken the " + thing + "?\"" + to_other;
        }
    }

    void guess(const Person& seeker, const Person& other, const std::string& thing) {
        text_ += " \"Is it " + std::string(any(places)) + "?\" \"No,\" " + any(says) + " " +
                 other.name + ", \"I have looked there, and found only " +
                 with_article(any(adjectives) + (" " + std::string(any(things)))) + ".\"";
        if (chance(0.3)) {
            text_ += " " + capital(seeker.name) + " was " + any(feelings) + " without the " +
                     thing + ".";
        }
    }

    void answer(const Person& other, const std::string& thing, const std::string& place) {
        const std::string tag = std::string(" ") + any(says) + " " + other.name + ".";
        switch (engine_() % 3) {
        case 0:
            text_ += " \"Your " + thing + " is " + place + ",\"" + tag;
            return;
        case 1:
            text_ += " \"I have seen it " + place + ",\"" + tag;
            return;
        default:
            text_ += " \"Look " + place + ",\"" + tag;
        }
    }

    void search(const Person& seeker, const std::string& thing, const std::string& place) {
        text_ += " So " + name_or_he(seeker) + " went to look " + place + ", and the " + thing +
                 (chance(0.7) ? " was there."
                              : " was not there, but it lay " + std::string(any(places)) + ".");
    }

    void end(const Person& seeker, const Person& other, const std::string& adjective,
             const std::string& thing) {
        switch (engine_() % 4) {
        case 0:
            text_ += " From then on " + he(seeker) + " kept the " + thing + " " + any(places) + ".";
            return;
        case 1:
            text_ += " " + capital(seeker.name) + " gave " + other.name + " " +
                     with_article(any(adjectives) + (" " + std::string(any(things)))) +
                     " and thanked " + other.him + ".";
            return;
        case 2:
            text_ += " And both of them were " + std::string(any(feelings)) + ".";
            return;
        default:
            text_ += " The " + adjective + " " + thing + " was never lost again.";
        }
    }

    std::mt19937_64 engine_;
    std::string text_;
};

} // namespace

std::string make_stories(std::size_t n_characters, std::uint64_t seed) {
    std::string text;
    for (std::uint64_t number = 0; text.size() < n_characters; ++number) {
        text += Teller(training::mix(seed, number)).story();
    }
    return text;
}

} // namespace language
