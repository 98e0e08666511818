#pragma once

// The words of the made corpus. Nouns and adjectives are drawn with falling frequency, in the order
// in which they are listed, so that the last ones are rare.

#include <array>

namespace seq2seq::lexicon {

struct Noun {
    const char *singular, *plural;       // English
    const char *fr_singular, *fr_plural; // French
    bool feminine;
};

// French forms: masculine and feminine, singular and plural. A star marks a masculine singular with
// another form before a vowel.
struct Adjective {
    const char* english;
    std::array<const char*, 4> french; // m. sg., f. sg., m. pl., f. pl.
    bool before_noun;
};

struct Verb {
    const char *base, *third;          // English
    std::array<const char*, 4> french; // present sg., pl.; future sg., pl.
    bool transitive;
};

struct Adverb {
    const char *english, *french;
};

inline constexpr Noun nouns[] = {
    {"man", "men", "homme", "hommes", false},
    {"woman", "women", "femme", "femmes", true},
    {"dog", "dogs", "chien", "chiens", false},
    {"house", "houses", "maison", "maisons", true},
    {"child", "children", "enfant", "enfants", false},
    {"girl", "girls", "fille", "filles", true},
    {"book", "books", "livre", "livres", false},
    {"car", "cars", "voiture", "voitures", true},
    {"friend", "friends", "ami", "amis", false},
    {"school", "schools", "école", "écoles", true},
    {"cat", "cats", "chat", "chats", false},
    {"table", "tables", "table", "tables", true},
    {"garden", "gardens", "jardin", "jardins", false},
    {"street", "streets", "rue", "rues", true},
    {"boy", "boys", "garçon", "garçons", false},
    {"island", "islands", "île", "îles", true},
    {"tree", "trees", "arbre", "arbres", false},
    {"door", "doors", "porte", "portes", true},
    {"teacher", "teachers", "professeur", "professeurs", false},
    {"apple", "apples", "pomme", "pommes", true},
    {"train", "trains", "train", "trains", false},
    {"letter", "letters", "lettre", "lettres", true},
    {"bird", "birds", "oiseau", "oiseaux", false},
    {"church", "churches", "église", "églises", true},
    {"king", "kings", "roi", "rois", false},
    {"queen", "queens", "reine", "reines", true},
    {"hotel", "hotels", "hôtel", "hôtels", false},
    {"window", "windows", "fenêtre", "fenêtres", true},
    {"horse", "horses", "cheval", "chevaux", false},
    {"story", "stories", "histoire", "histoires", true},
    {"doctor", "doctors", "médecin", "médecins", false},
    {"kitchen", "kitchens", "cuisine", "cuisines", true},
    {"bridge", "bridges", "pont", "ponts", false},
    {"star", "stars", "étoile", "étoiles", true},
    {"knife", "knives", "couteau", "couteaux", false},
    {"flower", "flowers", "fleur", "fleurs", true},
    {"student", "students", "étudiant", "étudiants", false},
    {"song", "songs", "chanson", "chansons", true},
    {"ship", "ships", "bateau", "bateaux", false},
    {"town", "towns", "ville", "villes", true},
    {"neighbour", "neighbours", "voisin", "voisins", false},
    {"shirt", "shirts", "chemise", "chemises", true},
    {"uncle", "uncles", "oncle", "oncles", false},
    {"aunt", "aunts", "tante", "tantes", true},
    {"coat", "coats", "manteau", "manteaux", false},
    {"chair", "chairs", "chaise", "chaises", true},
    {"plane", "planes", "avion", "avions", false},
    {"sister", "sisters", "sœur", "sœurs", true},
    {"brother", "brothers", "frère", "frères", false},
    {"river", "rivers", "rivière", "rivières", true},
    {"hat", "hats", "chapeau", "chapeaux", false},
    {"picture", "pictures", "image", "images", true},
    {"village", "villages", "village", "villages", false},
    {"key", "keys", "clé", "clés", true},
    {"lawyer", "lawyers", "avocat", "avocats", false},
    {"forest", "forests", "forêt", "forêts", true},
    {"wall", "walls", "mur", "murs", false},
    {"spoon", "spoons", "cuillère", "cuillères", true},
    {"elephant", "elephants", "éléphant", "éléphants", false},
    {"orange", "oranges", "orange", "oranges", true},
    {"soldier", "soldiers", "soldat", "soldats", false},
    {"mountain", "mountains", "montagne", "montagnes", true},
    {"worker", "workers", "ouvrier", "ouvriers", false},
    {"candle", "candles", "bougie", "bougies", true},
    {"glass", "glasses", "verre", "verres", false},
    {"nurse", "nurses", "infirmière", "infirmières", true},
    {"cake", "cakes", "gâteau", "gâteaux", false},
    {"mouse", "mice", "souris", "souris", true},
    {"sword", "swords", "épée", "épées", true},
    {"mirror", "mirrors", "miroir", "miroirs", false},
    {"bee", "bees", "abeille", "abeilles", true},
    {"owl", "owls", "hibou*", "hiboux*", false},
};

inline constexpr Adjective adjectives[] = {
    {"small", {"petit", "petite", "petits", "petites"}, true},
    {"red", {"rouge", "rouge", "rouges", "rouges"}, false},
    {"big", {"grand", "grande", "grands", "grandes"}, true},
    {"black", {"noir", "noire", "noirs", "noires"}, false},
    {"beautiful", {"beau*", "belle", "beaux", "belles"}, true},
    {"green", {"vert", "verte", "verts", "vertes"}, false},
    {"old", {"vieux*", "vieille", "vieux", "vieilles"}, true},
    {"white", {"blanc", "blanche", "blancs", "blanches"}, false},
    {"young", {"jeune", "jeune", "jeunes", "jeunes"}, true},
    {"tired", {"fatigué", "fatiguée", "fatigués", "fatiguées"}, false},
    {"new", {"nouveau*", "nouvelle", "nouveaux", "nouvelles"}, true},
    {"happy", {"heureux", "heureuse", "heureux", "heureuses"}, false},
    {"pretty", {"joli", "jolie", "jolis", "jolies"}, true},
    {"blue", {"bleu", "bleue", "bleus", "bleues"}, false},
    {"good", {"bon", "bonne", "bons", "bonnes"}, true},
    {"strange", {"étrange", "étrange", "étranges", "étranges"}, false},
    {"bad", {"mauvais", "mauvaise", "mauvais", "mauvaises"}, true},
    {"heavy", {"lourd", "lourde", "lourds", "lourdes"}, false},
    {"quiet", {"calme", "calme", "calmes", "calmes"}, false},
    {"long", {"long", "longue", "longs", "longues"}, true},
    {"expensive", {"cher", "chère", "chers", "chères"}, false},
    {"dry", {"sec", "sèche", "secs", "sèches"}, false},
    {"famous", {"célèbre", "célèbre", "célèbres", "célèbres"}, false},
    {"open", {"ouvert", "ouverte", "ouverts", "ouvertes"}, false},
    {"clean", {"propre", "propre", "propres", "propres"}, false},
    {"poor", {"pauvre", "pauvre", "pauvres", "pauvres"}, false},
    {"soft", {"doux", "douce", "doux", "douces"}, false},
    {"empty", {"vide", "vide", "vides", "vides"}, false},
    {"dangerous", {"dangereux", "dangereuse", "dangereux", "dangereuses"}, false},
    {"grey", {"gris", "grise", "gris", "grises"}, false},
};

inline constexpr Verb verbs[] = {
    {"see", "sees", {"voit", "voient", "verra", "verront"}, true},
    {"sleep", "sleeps", {"dort", "dorment", "dormira", "dormiront"}, false},
    {"love", "loves", {"aime", "aiment", "aimera", "aimeront"}, true},
    {"come", "comes", {"vient", "viennent", "viendra", "viendront"}, false},
    {"take", "takes", {"prend", "prennent", "prendra", "prendront"}, true},
    {"work", "works", {"travaille", "travaillent", "travaillera", "travailleront"}, false},
    {"buy", "buys", {"achète", "achètent", "achètera", "achèteront"}, true},
    {"sing", "sings", {"chante", "chantent", "chantera", "chanteront"}, false},
    {"know", "knows", {"connaît", "connaissent", "connaîtra", "connaîtront"}, true},
    {"play", "plays", {"joue", "jouent", "jouera", "joueront"}, false},
    {"find", "finds", {"trouve", "trouvent", "trouvera", "trouveront"}, true},
    {"arrive", "arrives", {"arrive", "arrivent", "arrivera", "arriveront"}, false},
    {"want", "wants", {"veut", "veulent", "voudra", "voudront"}, true},
    {"fall", "falls", {"tombe", "tombent", "tombera", "tomberont"}, false},
    {"lose", "loses", {"perd", "perdent", "perdra", "perdront"}, true},
    {"run", "runs", {"court", "courent", "courra", "courront"}, false},
    {"hear", "hears", {"entend", "entendent", "entendra", "entendront"}, true},
    {"stay", "stays", {"reste", "restent", "restera", "resteront"}, false},
    {"open", "opens", {"ouvre", "ouvrent", "ouvrira", "ouvriront"}, true},
    {"laugh", "laughs", {"rit", "rient", "rira", "riront"}, false},
    {"follow", "follows", {"suit", "suivent", "suivra", "suivront"}, true},
    {"wash", "washes", {"lave", "lavent", "lavera", "laveront"}, true},
    {"forget", "forgets", {"oublie", "oublient", "oubliera", "oublieront"}, true},
    {"draw", "draws", {"dessine", "dessinent", "dessinera", "dessineront"}, true},
    {"sell", "sells", {"vend", "vendent", "vendra", "vendront"}, true},
    {"wait", "waits", {"attend", "attendent", "attendra", "attendront"}, false},
    {"admire", "admires", {"admire", "admirent", "admirera", "admireront"}, true},
    {"hide", "hides", {"cache", "cachent", "cachera", "cacheront"}, true},
};

inline constexpr Adverb adverbs[] = {
    {"often", "souvent"}, {"always", "toujours"}, {"rarely", "rarement"}, {"quickly", "vite"}};
inline constexpr Adverb times[] = {{"today", "aujourd'hui"},
                                   {"tomorrow", "demain"},
                                   {"tonight", "ce soir"},
                                   {"now", "maintenant"}};
inline constexpr Adverb prepositions[] = {{"with", "avec"},
                                          {"in", "dans"},
                                          {"near", "près de"},
                                          {"under", "sous"},
                                          {"behind", "derrière"}};
inline constexpr Adverb conjunctions[] = {{"because", "parce que"}, {"and", "et"}, {"but", "mais"}};

} // namespace seq2seq::lexicon
