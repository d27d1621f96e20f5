"""English place and organisation words: what a place is called, and which places everybody knows.

All in lower case. Made for this program from general knowledge.
"""

from __future__ import annotations

from engine.analysis.rules.english_words import word_set


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split(","))


PLACE_HEADS = word_set(
    """
    street st road rd lane avenue ave alley row terrace crescent square sq circus place mews court close drive way
    boulevard parade mall embankment highway turnpike park common heath green gardens garden grove woods wood forest
    field fields meadow meadows hill hills mount mountain mountains mt peak ridge cliff cliffs rock rocks moor moors
    fell dale glen valley vale pass gap gulch gully canyon ravine hollow plain plains prairie desert steppe tundra
    wastes heights downs wolds flats river creek brook stream lake loch lough mere pond pool falls spring springs
    bay gulf sea ocean strait straits channel sound firth fjord cove harbour harbor haven lagoon reef bar hook
    island islands isle isles cape point head peninsula beach coast shore sands banks marsh marshes swamp bog fen
    fens delta bridge ford ferry quay wharf dock docks pier landing crossing crossroads junction corner gate gates
    city town village hamlet county shire borough parish ward district quarter province territory kingdom republic
    empire realm duchy colony settlement ranch farm estate plantation station camp mill mills mine mines port house
    hall manor castle palace tower towers fort fortress keep citadel abbey priory minster cathedral chapel church
    temple shrine monastery convent nunnery cloister grange lodge cottage villa mansion hotel inn tavern arms hostel
    barracks prison gaol jail workhouse asylum hospital infirmary museum gallery library theatre theater opera
    market exchange arcade buildings apartments chambers rooms observatory lighthouse cemetery churchyard graveyard
    crypt tomb tombs ruins planet moon sector galaxy nebula colony spaceport outpost base dungeon
    """
)
"""Last words of place names: Baker Street, Emerald Lake."""

STRONG_LEADERS = word_set("mount mt lake loch fort cape port isle gulf rue faubourg quai hôtel via calle piazza plaza")
"""First words of place names: Mount Hood, Fort Edward."""

SURNAME_HEADS = word_set(
    """
    hill hills wood woods field fields ford dale glen park lane church hall house green forest heath cliff rock
    marsh moor brook banks rivers mill mills lodge bridge bridges gate gates castle temple pool lake bay street
    mount chambers row vale grove garden gardens cove haven port city forest ridge cross court close abbey prior
    camp stone burn
    """
)
"""Those of them that families bear too."""

ORGANISATION_HEADS = word_set(
    """
    company co corporation corp inc ltd limited firm bank society club association league union guild order
    brotherhood sisterhood fellowship party committee council commission board bureau agency department ministry
    office institute institution academy college university school seminary foundation trust federation alliance
    consortium syndicate cartel army corps regiment brigade division battalion squadron legion fleet guard guards
    police constabulary church congregation mission parliament senate congress assembly tribunal cabinet times
    gazette herald chronicle tribune telegraph observer journal press post clan tribe sect cult gang band crew
    troupe circle coven company's
    """
)
"""Last words of names of organisations, and first words before "of"."""

EVENT_HEADS = word_set(
    """
    battle siege war wars revolution rebellion rising uprising mutiny massacre treaty truce crusade tournament
    festival feast ball games trial trials coronation fire plague famine flood expedition incident accident affair
    """
)
"""Words in names of events: the Battle of the Fords, the Great Fire."""

HEADS_BEFORE_OF = PLACE_HEADS | ORGANISATION_HEADS | EVENT_HEADS
"""What may stand before "of" in one name: Bay of Biscay, Bank of England."""

PLACE_ENDINGS = (
    "shire", "borough", "burgh", "bury", "ville", "burg", "minster", "mouth", "stead", "chester", "cester", "hampton",
    "polis", "stadt", "grad", "abad", "combe", "thwaite", "thorpe", "wich", "land", "lands", "haven",
)  # fmt: skip
"""Ends of one-word place names. Families are named after places, so they suggest, no more."""

WEAK_PLACE_ENDINGS = (
    "ia", "ton", "ham", "ley", "ford", "field", "bridge", "bourne", "burn", "hurst", "wick", "by", "dale", "wood",
    "well",
    "holm", "holme", "sea", "wold", "worth", "moor", "hill", "cross", "gate", "gard", "heim", "heath", "dor", "lin",
)  # fmt: skip
"""Ends that suggest a place where nothing suggests a person."""

KNOWN_PLACES = _phrases(
    """
    amiens, anjou, luxembourg, orléans, poitiers, nantes, toulouse, auvergne,
    provence, languedoc, dauphiny, franche-comté, navarre, savoy, picardy, lorraine, alsace, avignon, dijon, metz,
    england, scotland, wales, ireland, britain, great britain, united kingdom, france, germany, italy, spain,
    portugal, greece, turkey, russia, poland, austria, hungary, bohemia, moravia, prussia, bavaria, saxony, hanover,
    switzerland, holland, netherlands, belgium, denmark, norway, sweden, finland, iceland, greenland, lapland,
    romania, roumania, bulgaria, serbia, croatia, albania, montenegro, transylvania, wallachia, moldavia, ukraine,
    crimea, siberia, georgia, armenia, lithuania, latvia, estonia, livonia, flanders, normandy, brittany, burgundy,
    champagne, provence, gascony, languedoc, alsace, lorraine, savoy, piedmont, lombardy, tuscany, umbria, sicily,
    sardinia, corsica, malta, cyprus, crete, corfu, rhodes, castile, aragon, catalonia, andalusia, navarre, galicia,
    bukovina, silesia, pomerania, westphalia, thuringia, swabia, styria, tyrol, carinthia, europe, asia, africa,
    america, australia, antarctica, north america, south america, central america, oceania, orient, united states,
    canada, mexico, brazil, argentina, chile, peru, bolivia, colombia, venezuela, ecuador, cuba, jamaica, haiti,
    barbados, bermuda, trinidad, panama, guatemala, honduras, nicaragua, west indies, east indies, india, pakistan,
    bengal, punjab, kashmir, burma, siam, ceylon, tibet, nepal, china, manchuria, mongolia, japan, korea, formosa,
    java, sumatra, borneo, philippines, malaya, vietnam, persia, iran, iraq, mesopotamia, syria, lebanon, palestine,
    israel, judea, judaea, galilee, arabia, yemen, afghanistan, egypt, nubia, abyssinia, ethiopia, sudan, libya,
    tunis, algeria, algiers, morocco, kenya, uganda, zanzibar, rhodesia, transvaal, natal, congo, nigeria, ghana,
    madagascar, mauritius, new zealand, tasmania, new south wales, queensland, fiji, tahiti, samoa, hawaii, guinea,
    new guinea, asia minor, anatolia, babylon, babylonia, assyria, phoenicia, carthage, sparta, troy, thrace,
    macedonia, nineveh, sodom, gomorrah, eden, arcadia, atlantis, utopia, london, westminster, paris, rome, berlin,
    vienna, madrid, lisbon, athens, moscow, st. petersburg, petersburg, petrograd, warsaw, prague, budapest,
    buda-pesth, munich, dresden, leipzig, hamburg, cologne, frankfort, frankfurt, heidelberg, weimar, nuremberg,
    strasburg, strasbourg, brussels, antwerp, bruges, ghent, ostend, amsterdam, rotterdam, the hague, leyden,
    copenhagen, stockholm, oslo, christiania, helsinki, geneva, zurich, basle, basel, berne, lausanne, lucerne,
    montreux, milan, turin, genoa, venice, florence, pisa, siena, bologna, padua, verona, ravenna, naples, palermo,
    messina, syracuse, ferrara, mantua, parma, modena, perugia, assisi, trieste, lyons, lyon, marseilles, marseille,
    bordeaux, toulouse, toulon, nice, cannes, avignon, rouen, calais, boulogne, dieppe, havre, cherbourg, brest,
    rheims, reims, orleans, tours, versailles, fontainebleau, barcelona, seville, granada, cordova, cadiz, toledo,
    saragossa, valencia, malaga, gibraltar, constantinople, istanbul, smyrna, odessa, kiev, sebastopol, bucharest,
    belgrade, sofia, belfast, dublin, cork, limerick, galway, kilkenny, edinburgh, glasgow, aberdeen, dundee,
    inverness, perth, stirling, cardiff, swansea, oxford, cambridge, eton, harrow, rugby, winchester, windsor,
    canterbury, york, bath, bristol, liverpool, manchester, birmingham, leeds, sheffield, bradford, nottingham,
    leicester, derby, coventry, norwich, exeter, plymouth, portsmouth, southampton, brighton, dover, hastings,
    folkestone, ramsgate, margate, gravesend, deptford, greenwich, chatham, rochester, carlisle, durham, lancaster,
    chester, worcester, gloucester, hereford, shrewsbury, salisbury, cheltenham, scarborough, whitby, hull,
    newcastle, sunderland, lincoln, ipswich, colchester, yarmouth, weymouth, bournemouth, torquay, penzance,
    falmouth, stratford, epsom, ascot, reading, guildford, croydon, richmond, hampstead, highgate, islington,
    chelsea, kensington, hammersmith, chiswick, battersea, brixton, clapham, lambeth, southwark, whitechapel,
    bloomsbury, soho, mayfair, belgravia, piccadilly, pall mall, holborn, marylebone, paddington, st. james's,
    whitehall, covent garden, drury lane, hyde park, regent street, oxford street, bond street, fleet street,
    downing street, wall street, broadway, fifth avenue, newgate, tyburn, smithfield, cheapside, ludgate,
    charing cross, trafalgar square, notting hill, wimbledon, hounslow, streatham, norwood, camberwell, bermondsey,
    rotherhithe, wapping, limehouse, stepney, clerkenwell, pentonville, camden town, kent, sussex, surrey, essex,
    norfolk, suffolk, middlesex, devon, dorset, somerset, cornwall, cumberland, westmoreland, northumberland,
    rutland, hants, wilts, berks, bucks, herts, wessex, mercia, northumbria, new york, brooklyn, manhattan, harlem,
    bronx, queens, long island, boston, philadelphia, chicago, washington, baltimore, new orleans, san francisco,
    los angeles, st. louis, st. paul, minneapolis, cincinnati, cleveland, detroit, buffalo, pittsburgh, milwaukee,
    omaha, denver, salt lake city, seattle, portland, atlanta, richmond, charleston, savannah, mobile, memphis,
    nashville, louisville, indianapolis, kansas city, houston, dallas, austin, san antonio, santa fe, phoenix,
    albany, newport, saratoga, hartford, new haven, providence, salem, concord, lexington, atlantic city, newark,
    princeton, hoboken, coney island, cape cod, nantucket, niagara, montreal, quebec, toronto, ottawa, halifax,
    vancouver, winnipeg, klondike, havana, rio de janeiro, buenos aires, mexico city, lima, santiago, valparaiso,
    caracas, sydney, melbourne, adelaide, brisbane, auckland, cairo, alexandria, jerusalem, bethlehem, nazareth,
    damascus, beirut, bagdad, baghdad, mecca, medina, aleppo, tehran, kabul, delhi, new delhi, calcutta, bombay,
    mumbai, madras, lucknow, cawnpore, agra, benares, lahore, simla, rangoon, mandalay, singapore, bangkok,
    hong kong, canton, shanghai, peking, beijing, nanking, tokyo, yokohama, kyoto, osaka, nagasaki, seoul, manila,
    cape town, johannesburg, pretoria, durban, khartoum, nairobi, timbuctoo, timbuktu, tangier, tripoli, alabama,
    alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, idaho, illinois, indiana, iowa,
    kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri,
    montana, nebraska, nevada, new hampshire, new jersey, new mexico, north carolina, south carolina, north dakota,
    south dakota, ohio, oklahoma, oregon, pennsylvania, rhode island, tennessee, texas, utah, vermont, wisconsin,
    wyoming, new england, dixie, ontario, nova scotia, new brunswick, newfoundland, labrador, manitoba,
    british columbia, thames, severn, trent, tweed, tyne, humber, mersey, clyde, forth, tay, avon, cam, isis,
    medway, shannon, liffey, seine, loire, rhone, garonne, rhine, danube, elbe, oder, vistula, volga, dnieper, don,
    po, tiber, arno, tagus, ebro, nile, niger, zambesi, ganges, indus, euphrates, tigris, jordan, hudson, potomac,
    delaware river, ohio river, st. lawrence, rio grande, amazon, orinoco, yangtze, atlantic, pacific,
    mediterranean, baltic, adriatic, aegean, caspian, north sea, black sea, red sea, dead sea, irish sea,
    english channel, bay of biscay, biscay, arctic, antarctic, alps, pyrenees, apennines, carpathians, balkans,
    urals, caucasus, himalayas, himalaya, andes, rockies, rocky mountains, alleghanies, alleghenies, appalachians,
    adirondacks, catskills, sierras, sierra nevada, ozarks, cotswolds, highlands, lowlands, hebrides, orkneys,
    orkney, shetland, isle of wight, isle of man, channel islands, jersey, guernsey, sahara, kalahari, vesuvius,
    etna, olympus, sinai, ararat, elba, st. helena, waterloo, trafalgar, mars, jupiter, saturn, uranus, neptune,
    pluto, vatican, kremlin, louvre, bastille, tuileries, sorbonne, acropolis, colosseum, mason-dixon,
    scotland yard, far east, near east, middle east, wild west, middle west, midwest, deep south
    """
)
"""Countries, cities, counties, rivers, mountains and seas a general reader knows. Some are names of people too."""

KNOWN_ORGANISATIONS = _phrases(
    """
    parliament, house of commons, house of lords, congress, senate, harvard, yale, oxford university,
    cambridge university, scotland yard, royal society, royal academy, royal navy, red cross, salvation army,
    bank of england, east india company, nasa, fbi, cia, kgb, mi5, mi6, interpol, united nations, league of nations,
    nato, gestapo, church of england, wehrmacht, luftwaffe, politburo, pentagon, white house, standard oil,
    supreme court, old bailey, lloyd's, punch
    """
)
